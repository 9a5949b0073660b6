metadata description = 'Lets the app ask the models of an Azure OpenAI resource that exists already.'

@description('The name of the Azure OpenAI resource.')
param accountName string

@description('The object id of the identity that asks.')
param principalId string

var roles = loadJsonContent('../azure-roles.json')

resource account 'Microsoft.CognitiveServices/accounts@2025-06-01' existing = {
  name: accountName
}

resource user 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, principalId, roles['Cognitive Services OpenAI User'])
  scope: account
  properties: {
    roleDefinitionId: subscriptionResourceId(
      'Microsoft.Authorization/roleDefinitions',
      roles['Cognitive Services OpenAI User']
    )
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

@description('The address of the resource.')
output endpoint string = account.properties.endpoint
