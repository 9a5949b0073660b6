metadata description = 'Lets the app sign with one key of a key vault that exists already.'

@description('The name of the key vault, whose permission model has to be Azure role-based access control.')
param vaultName string

@description('The name of the key.')
param keyName string

@description('The object id of the identity that signs.')
param principalId string

var roles = loadJsonContent('../azure-roles.json')

resource vault 'Microsoft.KeyVault/vaults@2024-11-01' existing = {
  name: vaultName
}

resource key 'Microsoft.KeyVault/vaults/keys@2024-11-01' existing = {
  parent: vault
  name: keyName
}

// On the key alone: nothing else in the vault is the app's.
resource user 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(key.id, principalId, roles['Key Vault Crypto User'])
  scope: key
  properties: {
    roleDefinitionId: subscriptionResourceId(
      'Microsoft.Authorization/roleDefinitions',
      roles['Key Vault Crypto User']
    )
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}
