metadata description = 'A storage account without keys, and what the app may do in it.'

@description('Where the account is kept.')
param location string

@description('Tags of every resource.')
param tags object

@description('The name of the account.')
@minLength(3)
@maxLength(24)
param name string

@description('How many copies there are, and how far apart.')
param sku string

@description('Containers to make; the app makes others that it needs.')
param containers string[] = []

@description('Names of roles (see azure-roles.json) of the identity in this account.')
param grants string[]

@description('The object id of the identity.')
param principalId string

@description('Days for which overwritten and deleted blobs can be brought back; 0 for not at all.')
@minValue(0)
@maxValue(365)
param recoveryDays int = 0

var roles = loadJsonContent('../azure-roles.json')
var recovery = recoveryDays > 0
  ? {
      enabled: true
      // The compiler can't tell from the condition that it is one at least, as Azure asks.
      days: max(recoveryDays, 1)
    }
  : {
      enabled: false
    }

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: {
    name: sku
  }
  properties: {
    accessTier: 'Hot'
    allowBlobPublicAccess: false
    allowCrossTenantReplication: false
    allowSharedKeyAccess: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    isVersioningEnabled: recoveryDays > 0
    deleteRetentionPolicy: recovery
    containerDeleteRetentionPolicy: recovery
  }
}

resource made 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' = [
  for container in containers: {
    parent: blobs
    name: container
    properties: {
      publicAccess: 'None'
    }
  }
]

resource granted 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for role in grants: {
    name: guid(account.id, principalId, roles[role])
    scope: account
    properties: {
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles[role])
      principalId: principalId
      principalType: 'ServicePrincipal'
    }
  }
]

@description('The name of the account.')
output name string = account.name

@description('The address of its blob service, with a slash at the end.')
output blobEndpoint string = account.properties.primaryEndpoints.blob
