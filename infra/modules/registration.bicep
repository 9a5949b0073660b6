metadata description = 'The application in Entra ID: who may sign in, with which roles, and from where.'

extension microsoftGraphV1

@description('What finds the registration again at the next deployment. It can never be changed.')
param uniqueName string

@description('The name that people see.')
param displayName string

@description('The host name of the app.')
param hostName string

@description('The object id of the identity that stands in for a client secret.')
param principalId string

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
    // No program: only people can approve.
    allowedMemberTypes: [
      'User'
    ]
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
        // Says that a program got the token for itself; the app lets no program in.
        name: 'idtyp'
      }
    ]
  }
  web: {
    redirectUris: [
      'https://${hostName}/.auth/login/aad/callback'
    ]
    implicitGrantSettings: {
      // App Service Authentication asks for the id token together with the code.
      enableIdTokenIssuance: true
      enableAccessTokenIssuance: false
    }
  }
  requiredResourceAccess: [
    {
      // Microsoft Graph: openid and profile, nothing that could be read with them.
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
      ]
    }
  ]
}

resource credential 'Microsoft.Graph/applications/federatedIdentityCredentials@v1.0' = {
  name: '${registration.uniqueName}/managed-identity'
  description: 'The identity of the function app, instead of a client secret.'
  issuer: '${environment().authentication.loginEndpoint}${tenant().tenantId}/v2.0'
  subject: principalId
  audiences: [
    'api://AzureADTokenExchange'
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
