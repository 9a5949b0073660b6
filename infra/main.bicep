metadata description = 'Countersign on Azure Functions, in a resource group of its own.'

targetScope = 'subscription'

@description('The name of the azd environment.')
@minLength(1)
@maxLength(64)
param environmentName string

@description('Where everything is.')
@minLength(1)
@metadata({
  azd: {
    type: 'location'
  }
})
param location string

@description('Where durable state is kept: the Durable Task Scheduler, or the storage account of the host.')
@allowed([
  'scheduler'
  'storage'
])
param durableBackend string = 'scheduler'

@description('Addresses that may reach the scheduler. An app without a virtual network has no fixed one.')
param schedulerAllowlist string[] = [
  '0.0.0.0/0'
]

@description('How many copies of the records there are, and how far apart.')
@allowed([
  'Standard_LRS'
  'Standard_ZRS'
  'Standard_GRS'
  'Standard_GZRS'
])
param recordsSku string = 'Standard_ZRS'

@description('Days for which a published report can be neither changed nor deleted; 0 for no such policy.')
@minValue(0)
@maxValue(146000)
param reportRetentionDays int = 0

@description('The client id of a registration that exists already; empty to make one.')
param clientId string = ''

@description('Client ids of programs that get tokens for people without asking them for consent.')
param preauthorizedClients string[] = [
  // The Azure CLI, for `az account get-access-token`.
  '04b07795-8ddb-461a-bbee-02f9e1bf7b46'
]

@description('Who writes: the embedded extractive model, or Azure OpenAI.')
@allowed([
  'azure'
  'extractive'
])
param modelProvider string = 'extractive'

@description('The deployment of the model, for Azure OpenAI.')
param modelDeployment string = ''

@description('The Azure OpenAI resource, for Azure OpenAI. It has to exist in this subscription.')
param modelAccount string = ''

@description('The resource group of the Azure OpenAI resource, for Azure OpenAI.')
param modelResourceGroup string = ''

@description('The address of the purchasing system, without `/orders`; empty to take no orders.')
param purchasingUrl string = ''

@description('How the purchasing system keeps from ordering twice; empty for `key lookup`.')
@allowed([
  ''
  'key lookup'
  'key'
  'lookup'
  'none'
])
param purchasingGuards string = ''

@description('Seconds after which the answer to an order counts as lost.')
@minValue(1)
@maxValue(120)
param purchasingTimeoutSeconds int = 20

@description('Seconds after which an order that was sent does not turn up any more.')
@minValue(0)
@maxValue(86400)
param purchasingSettlingSeconds int = 300

@description('From which amounts on an order takes more people, by currency; empty for the usual ones.')
param purchaseLimits string = ''

@description('The address of the secret in a key vault that the purchasing system wants as a token; empty for none.')
param purchasingTokenSecretUri string = ''

@description('The address of the secret in a key vault that signs proofs; empty for none.')
param proofKeySecretUri string = ''

@description('The address of a version of a key in a key vault, `https://VAULT.vault.azure.net/keys/NAME/VERSION`, that signs instead; empty for none.')
param proofVaultKeyUri string = ''

@description('The public key that belongs to it: its DER in Base64.')
param proofVaultPublicKey string = ''

@description('The resource group of that key vault; empty for the one of the app.')
param proofVaultResourceGroup string = ''

@description('App settings on top of the ones that the modules make, or instead of them.')
param extraSettings object = {}

var token = uniqueString(subscription().id, environmentName, location)
var tags = {
  'azd-env-name': environmentName
}
var groupName = 'rg-${environmentName}'
var appName = 'func-countersign-${token}'
var packageContainer = 'app-package'
var reportsContainer = 'countersign-reports'
// `https:`, nothing, the host, `keys`, the name, the version. Where no key is given, nobody reads them.
var proofVaultParts = split(empty(proofVaultKeyUri) ? 'no/key/is/given/here' : proofVaultKeyUri, '/')
var proofVaultHost = split(proofVaultParts[2], '.')
// Letters only, so that both backends take it.
var taskHubName = 'countersign'

resource group 'Microsoft.Resources/resourceGroups@2025-04-01' = {
  name: groupName
  location: location
  tags: tags
}

module identity 'modules/identity.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    name: 'id-countersign-${token}'
  }
}

module monitoring 'modules/monitoring.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    workspaceName: 'log-countersign-${token}'
    componentName: 'appi-countersign-${token}'
    principalId: identity.outputs.principalId
  }
}

// Two accounts, because the host has to own the blobs of its own and has no business in the records.
module hostAccount 'modules/storage-account.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    name: 'sthost${token}'
    sku: 'Standard_LRS'
    containers: [
      packageContainer
    ]
    grants: durableBackend == 'storage'
      ? [
          'Storage Blob Data Owner'
          'Storage Table Data Contributor'
          'Storage Queue Data Contributor'
        ]
      : [
          'Storage Blob Data Owner'
          'Storage Table Data Contributor'
        ]
    principalId: identity.outputs.principalId
  }
}

module recordsAccount 'modules/storage-account.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    name: 'strec${token}'
    sku: recordsSku
    containers: [
      reportsContainer
    ]
    grants: [
      'Storage Blob Data Contributor'
      'Storage Table Data Contributor'
    ]
    principalId: identity.outputs.principalId
    recoveryDays: 30
  }
}

module reportRetention 'modules/report-retention.bicep' = if (reportRetentionDays > 0) {
  scope: group
  params: {
    accountName: recordsAccount.outputs.name
    containerName: reportsContainer
    // Deployed with one day or more; the compiler can't tell that from the condition.
    days: max(reportRetentionDays, 1)
  }
}

module scheduler 'modules/scheduler.bicep' = if (durableBackend == 'scheduler') {
  scope: group
  params: {
    location: location
    tags: tags
    name: 'dts-countersign-${token}'
    taskHubName: taskHubName
    allowlist: schedulerAllowlist
    principalId: identity.outputs.principalId
    clientId: identity.outputs.clientId
  }
}

module registration 'modules/registration.bicep' = if (empty(clientId)) {
  scope: group
  params: {
    uniqueName: 'countersign-${token}'
    displayName: 'Countersign (${environmentName})'
    hostName: '${appName}.azurewebsites.net'
    preauthorizedClients: preauthorizedClients
  }
}

module modelAccess 'modules/model-access.bicep' = if (modelProvider == 'azure') {
  scope: resourceGroup(empty(modelResourceGroup) ? groupName : modelResourceGroup)
  params: {
    accountName: modelAccount
    principalId: identity.outputs.principalId
  }
}

module keyAccess 'modules/key-access.bicep' = if (!empty(proofVaultKeyUri)) {
  scope: resourceGroup(empty(proofVaultResourceGroup) ? groupName : proofVaultResourceGroup)
  params: {
    vaultName: proofVaultHost[0]
    keyName: proofVaultParts[4]
    principalId: identity.outputs.principalId
  }
}

module functionApp 'modules/function-app.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    name: appName
    planName: 'plan-countersign-${token}'
    identityId: identity.outputs.id
    identityClientId: identity.outputs.clientId
    hostAccountName: hostAccount.outputs.name
    packageContainer: '${hostAccount.outputs.blobEndpoint}${packageContainer}'
    recordsAccountName: recordsAccount.outputs.name
    schedulerConnection: durableBackend == 'scheduler' ? scheduler!.outputs.connection : ''
    taskHubName: taskHubName
    telemetryConnection: monitoring.outputs.connectionString
    clientId: empty(clientId) ? registration!.outputs.clientId : clientId
    modelProvider: modelProvider
    modelDeployment: modelDeployment
    modelEndpoint: modelProvider == 'azure' ? modelAccess!.outputs.endpoint : ''
    purchasingUrl: purchasingUrl
    purchasingGuards: purchasingGuards
    purchasingTimeoutSeconds: purchasingTimeoutSeconds
    purchasingSettlingSeconds: purchasingSettlingSeconds
    purchaseLimits: purchaseLimits
    purchasingTokenSecretUri: purchasingTokenSecretUri
    proofKeySecretUri: proofKeySecretUri
    proofVaultKeyUri: proofVaultKeyUri
    proofVaultPublicKey: proofVaultPublicKey
    extraSettings: extraSettings
  }
}

@description('Where everything is.')
output AZURE_LOCATION string = location

@description('The tenant whose people may sign in.')
output AZURE_TENANT_ID string = tenant().tenantId

@description('The resource group, which azd deletes again.')
output AZURE_RESOURCE_GROUP string = group.name

@description('The name of the function app.')
output AZURE_FUNCTION_APP_NAME string = functionApp.outputs.name

@description('The address of the app.')
output SERVICE_API_URI string = functionApp.outputs.uri

@description('The client id of the registration, to which people are assigned.')
output COUNTERSIGN_CLIENT_ID string = empty(clientId) ? registration!.outputs.clientId : clientId

@description('What to ask a token for.')
output COUNTERSIGN_TOKEN_RESOURCE string = empty(clientId) ? registration!.outputs.identifierUri : clientId

@description('The account of the ledger, the index, the artifacts and the reports.')
output COUNTERSIGN_RECORDS_ACCOUNT string = recordsAccount.outputs.name
