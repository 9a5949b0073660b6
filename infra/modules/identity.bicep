metadata description = 'The one identity as which the app reaches everything else.'

@description('Where the identity is kept.')
param location string

@description('Tags of every resource.')
param tags object

@description('The name of the identity.')
param name string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: name
  location: location
  tags: tags
}

@description('The resource id, for the app that bears the identity.')
output id string = identity.id

@description('The client id, by which software names the identity.')
output clientId string = identity.properties.clientId

@description('The object id, to which roles are assigned.')
output principalId string = identity.properties.principalId
