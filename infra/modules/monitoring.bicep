metadata description = 'Application Insights on a workspace. Telemetry is taken from the identity only, not from whoever knows a key.'

@description('Where the telemetry is kept.')
param location string

@description('Tags of every resource.')
param tags object

@description('The name of the workspace.')
param workspaceName string

@description('The name of the Application Insights component.')
param componentName string

@description('The object id of the identity that sends telemetry.')
param principalId string

@description('Days for which telemetry is kept.')
@minValue(30)
@maxValue(730)
param retentionDays int = 30

var roles = loadJsonContent('../azure-roles.json')

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' = {
  name: workspaceName
  location: location
  tags: tags
  properties: {
    sku: {
      name: 'PerGB2018'
    }
    retentionInDays: retentionDays
  }
}

resource component 'Microsoft.Insights/components@2020-02-02' = {
  name: componentName
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    // Durable extensions from before August 2026 lose their own spans by this:
    // https://github.com/Azure/azure-functions-durable-extension/issues/3497
    DisableLocalAuth: true
  }
}

resource publisher 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, principalId, roles['Monitoring Metrics Publisher'])
  scope: component
  properties: {
    roleDefinitionId: subscriptionResourceId(
      'Microsoft.Authorization/roleDefinitions',
      roles['Monitoring Metrics Publisher']
    )
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

@description('Where telemetry goes. It is no secret: without the role nothing is taken.')
output connectionString string = component.properties.ConnectionString
