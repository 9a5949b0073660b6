metadata description = 'The Durable Task Scheduler, which keeps the state of orchestrations.'

@description('Where the scheduler is.')
param location string

@description('Tags of every resource.')
param tags object

@description('The name of the scheduler.')
@minLength(3)
@maxLength(64)
param name string

@description('The name of the task hub.')
@minLength(3)
@maxLength(45)
param taskHubName string

@description('Addresses (IPv4, IPv6 or CIDR) that may reach the scheduler. With none, nobody does.')
@minLength(1)
param allowlist string[]

@description('The object id of the identity that works on the task hub.')
param principalId string

@description('The client id of the same identity.')
param clientId string

var roles = loadJsonContent('../azure-roles.json')

resource scheduler 'Microsoft.DurableTask/schedulers@2026-02-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    ipAllowlist: allowlist
    publicNetworkAccess: 'Enabled'
    sku: {
      name: 'Consumption'
    }
  }
}

resource taskHub 'Microsoft.DurableTask/schedulers/taskHubs@2026-02-01' = {
  parent: scheduler
  name: taskHubName
}

resource worker 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(taskHub.id, principalId, roles['Durable Task Data Contributor'])
  scope: taskHub
  properties: {
    roleDefinitionId: subscriptionResourceId(
      'Microsoft.Authorization/roleDefinitions',
      roles['Durable Task Data Contributor']
    )
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

@description('How the app reaches the scheduler. It holds no secret.')
output connection string = 'Endpoint=${scheduler.properties.endpoint};Authentication=ManagedIdentity;ClientID=${clientId}'
