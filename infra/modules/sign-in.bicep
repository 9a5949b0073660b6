metadata description = 'App Service Authentication: signs people in with a browser, and lets everybody else through.'

@description('The name of the function app.')
param appName string

@description('The client id of the registration in Entra ID.')
param clientId string

resource app 'Microsoft.Web/sites@2025-03-01' existing = {
  name: appName
}

resource signIn 'Microsoft.Web/sites/config@2025-03-01' = {
  parent: app
  name: 'authsettingsV2'
  properties: {
    platform: {
      enabled: true
      runtimeVersion: '~1'
    }
    globalValidation: {
      // The app itself checks the token of every call, and answers health and its description to
      // anybody. What the platform lets through is therefore no more than a request without proof.
      requireAuthentication: false
      unauthenticatedClientAction: 'AllowAnonymous'
    }
    httpSettings: {
      requireHttps: true
    }
    identityProviders: {
      azureActiveDirectory: {
        enabled: true
        registration: {
          clientId: clientId
          clientSecretSettingName: 'OVERRIDE_USE_MI_FIC_ASSERTION_CLIENTID'
          openIdIssuer: '${environment().authentication.loginEndpoint}${tenant().tenantId}/v2.0'
        }
        login: {
          loginParameters: [
            'scope=openid profile'
          ]
        }
        validation: {
          allowedAudiences: [
            clientId
          ]
        }
      }
    }
    login: {
      cookieExpiration: {
        convention: 'FixedTime'
        timeToExpiration: '08:00:00'
      }
      nonce: {
        validateNonce: true
        nonceExpirationInterval: '00:05:00'
      }
      tokenStore: {
        // Without it the platform keeps the id token to itself, and the app can check nothing.
        enabled: true
      }
    }
  }
}
