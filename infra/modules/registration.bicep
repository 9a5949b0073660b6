metadata description = 'The application in Entra ID: who may sign in, with which roles, and from where.'

extension microsoftGraphV1

@description('What finds the registration again at the next deployment. It can never be changed.')
param uniqueName string

@description('The name that people see.')
param displayName string

@description('The host name of the app.')
param hostName string

@description('Client ids of programs that get tokens for people without asking them for consent.')
param preauthorizedClients string[]

var appRoles = loadJsonContent('../app-roles.json')
var scopeId = guid(uniqueName, 'user_impersonation')

// A URI with the tenant's id in it is unique to the tenant, as Entra ID demands; one with the
// client id could only be written after the registration exists.
// https://learn.microsoft.com/entra/identity-platform/identifier-uri-restrictions
var identifierUri = 'api://${tenant().tenantId}/${uniqueName}'

resource registration 'Microsoft.Graph/applications@v1.0' = {
  uniqueName: uniqueName
  displayName: displayName
  signInAudience: 'AzureADMyOrg'
  identifierUris: [
    identifierUri
  ]
  appRoles: map(appRoles, role => {
    id: role.id
    value: role.value
    displayName: role.displayName
    description: role.description
    isEnabled: true
    // Programs may ask and read. Only people can approve.
    allowedMemberTypes: role.allowedMemberTypes
  })
  api: {
    // Version 2 tokens name the client id as audience and the v2.0 issuer, as id tokens do.
    requestedAccessTokenVersion: 2
    oauth2PermissionScopes: [
      {
        id: scopeId
        value: 'user_impersonation'
        type: 'User'
        isEnabled: true
        adminConsentDisplayName: 'Use Countersign'
        adminConsentDescription: 'Use Countersign as the signed-in person.'
        userConsentDisplayName: 'Use Countersign'
        userConsentDescription: 'Use Countersign as you.'
      }
    ]
    preAuthorizedApplications: map(preauthorizedClients, client => {
      appId: client
      delegatedPermissionIds: [
        scopeId
      ]
    })
  }
  optionalClaims: {
    accessToken: [
      {
        // Says that a program got the token for itself, with which it decides nothing.
        name: 'idtyp'
      }
    ]
  }
  // The page redeems codes from its own origin, with PKCE and without a secret.
  spa: {
    redirectUris: [
      'https://${hostName}/api/review'
    ]
  }
  requiredResourceAccess: [
    {
      // Microsoft Graph: openid, profile and offline_access, nothing that could be read with them.
      resourceAppId: '00000003-0000-0000-c000-000000000000'
      resourceAccess: [
        {
          id: '37f7f235-527c-4136-accd-4a02d197296e'
          type: 'Scope'
        }
        {
          id: '14dad69e-099b-42c9-810b-d002981feec1'
          type: 'Scope'
        }
        {
          id: '7427e0e9-2fba-42fe-b0c0-848c9e6a8182'
          type: 'Scope'
        }
      ]
    }
  ]
}

resource enterpriseApplication 'Microsoft.Graph/servicePrincipals@v1.0' = {
  appId: registration.appId
  // Nobody gets a token before somebody has given them a role.
  appRoleAssignmentRequired: true
}

@description('The client id, which is also the audience of every token.')
output clientId string = registration.appId

@description('What to ask a token for.')
output identifierUri string = identifierUri
