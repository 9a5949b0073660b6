metadata description = 'The function app on Flex Consumption: where its code is, how it scales, and its settings.'

@description('Where the app runs.')
param location string

@description('Tags of every resource.')
param tags object

@description('The name of the app.')
param name string

@description('The name of the plan.')
param planName string

@description('The resource id of the identity.')
param identityId string

@description('The client id of the identity.')
param identityClientId string

@description('The account of the Functions host: its locks, its keys and the deployed package.')
param hostAccountName string

@description('The container of the deployed package, as an address.')
param packageContainer string

@description('The account of the ledger, the index, the artifacts and the reports.')
param recordsAccountName string

@description('How to reach the Durable Task Scheduler; empty to keep durable state in the host account.')
param schedulerConnection string

@description('The name of the task hub.')
param taskHubName string

@description('Where telemetry goes.')
param telemetryConnection string

@description('The client id of the registration in Entra ID.')
param clientId string

@description('Who writes: the embedded extractive model, or Azure OpenAI.')
@allowed([
  'azure'
  'extractive'
])
param modelProvider string

@description('The deployment of the model, for Azure OpenAI.')
param modelDeployment string

@description('The endpoint of the Azure OpenAI resource, for Azure OpenAI.')
param modelEndpoint string

@description('The address of the purchasing system, without `/orders`; empty to take no orders.')
param purchasingUrl string

@description('How the purchasing system keeps from ordering twice; empty for `key lookup`.')
param purchasingGuards string

@description('Seconds after which the answer to an order counts as lost.')
param purchasingTimeoutSeconds int

@description('Seconds after which an order that was sent does not turn up any more.')
param purchasingSettlingSeconds int

@description('From which amounts on an order takes more people, by currency; empty for the usual ones.')
param purchaseLimits string

@description('The address of the secret in a key vault that the purchasing system wants as a token; empty for none.')
param purchasingTokenSecretUri string

@description('The address of the secret in a key vault that signs proofs; empty for none.')
param proofKeySecretUri string

@description('The address of a version of a key in a key vault that signs instead; empty for none.')
param proofVaultKeyUri string

@description('The public key that belongs to it.')
param proofVaultPublicKey string

@description('Settings on top of the ones below, or instead of them.')
param extraSettings object

@description('How many instances there are at most.')
@minValue(40)
@maxValue(1000)
param maximumInstances int = 40

@description('Memory of an instance in MB.')
@allowed([
  512
  2048
  4096
])
param instanceMemory int = 2048

var authority = '${environment().authentication.loginEndpoint}${tenant().tenantId}'

var hostSettings = {
  AzureWebJobsStorage__accountName: hostAccountName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identityClientId
  // A worker that was started again finds the package that sends telemetry only without isolation:
  // docs/decisions/0013-the-worker-is-not-isolated.md
  PYTHON_ISOLATE_WORKER_DEPENDENCIES: '0'
  // A little more than the largest file that the app takes. Without it the host reads 100 MB for anybody.
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '21000000'
  // Nothing stands at the root of the address, instead of a page about Azure Functions.
  AzureWebJobsDisableHomepage: 'true'
  // host.json keeps a developer's console short; here telemetry gets all that the host tells.
  AzureFunctionsJobHost__logging__logLevel__default: 'Information'
}

var identitySettings = {
  // Azure's libraries take this identity, and try no other way to sign in.
  AZURE_CLIENT_ID: identityClientId
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential'
}

// How much an instance has in hand at a time is in host.json, where the scale controller reads it.
// - Orchestrators, 10: they alone take threads of the worker, one each. They compute for milliseconds,
//   so the default of one core, five threads, would do; with ten no turn waits for a thread.
// - Activities, 20: they wait for models and stores without a thread. A step of research holds 45 MB
//   at most (8 MB of documents, as they came and indexed), and 20 of them 0.9 GB. The host (0.5 GB),
//   the worker (0.2 GB) and the platform (0.3 GB) leave about 1 GB of 2,048 MB. If 20 models hang,
//   other activities of the instance wait for them, for four minutes at most; the scale controller
//   counts what waits, and adds instances.
// - Entities, 20: notices and questions wait on as many threads of the app's own.
var concurrencySettings = {
  PYTHON_THREADPOOL_THREAD_COUNT: '10'
}

var durableSettings = {
  TASKHUB_NAME: taskHubName
  AZURE_FUNCTIONS_DURABLE_STRICT_TYPING: '1'
}

var schedulerSettings = {
  DURABLE_TASK_SCHEDULER_CONNECTION_STRING: schedulerConnection
}

// Said over host.json, which names the scheduler. What a killed host had in hand stays hidden for five
// minutes otherwise, and what waits for it stands still; less than a minute is not allowed.
var storageProviderSettings = {
  AzureFunctionsJobHost__extensions__durableTask__storageProvider__type: 'AzureStorage'
  AzureFunctionsJobHost__extensions__durableTask__storageProvider__connectionStringName: 'AzureWebJobsStorage'
  AzureFunctionsJobHost__extensions__durableTask__storageProvider__controlQueueVisibilityTimeout: '00:01:00'
  AzureFunctionsJobHost__extensions__durableTask__storageProvider__workItemQueueVisibilityTimeout: '00:01:00'
}

var telemetrySettings = {
  APPLICATIONINSIGHTS_CONNECTION_STRING: telemetryConnection
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'Authorization=AAD;ClientId=${identityClientId}'
  PYTHON_APPLICATIONINSIGHTS_ENABLE_TELEMETRY: 'true'
}

// The page gets its tokens by itself: instances share no store that the platform could keep them in.
var signInSettings = {
  COUNTERSIGN_SIGN_IN: 'page'
  COUNTERSIGN_SIGN_IN_AUTHORITY: '${authority}/v2.0'
  COUNTERSIGN_SIGN_IN_CLIENT_ID: clientId
  // By the client id and not by its URI: only so may an application ask for a token for itself.
  COUNTERSIGN_SIGN_IN_SCOPE: '${clientId}/user_impersonation'
}

var countersignSettings = {
  // Nothing that has to last: what an instance can make again.
  COUNTERSIGN_DATA: '/tmp/countersign'
  COUNTERSIGN_STORAGE__accountName: recordsAccountName
  COUNTERSIGN_STORAGE__clientId: identityClientId
  COUNTERSIGN_TOKEN_ISSUER: '${authority}/v2.0'
  COUNTERSIGN_TOKEN_AUDIENCE: clientId
  COUNTERSIGN_TOKEN_JWKS: '${authority}/discovery/v2.0/keys'
  COUNTERSIGN_TENANTS: tenant().tenantId
  // The page alone: an agent that has a person's token can't approve with it.
  COUNTERSIGN_TOKEN_CLIENTS: clientId
  COUNTERSIGN_MODEL_PROVIDER: modelProvider
}

var modelSettings = {
  COUNTERSIGN_MODEL: modelDeployment
  COUNTERSIGN_MODEL_URL: modelEndpoint
}

var purchasingSettings = {
  COUNTERSIGN_PURCHASING_URL: purchasingUrl
  COUNTERSIGN_PURCHASING_GUARDS: purchasingGuards
  COUNTERSIGN_PURCHASING_TIMEOUT_SECONDS: '${purchasingTimeoutSeconds}'
  COUNTERSIGN_PURCHASING_SETTLING_SECONDS: '${purchasingSettlingSeconds}'
  COUNTERSIGN_PURCHASE_LIMITS: purchaseLimits
}

// Secrets of others than Azure stay in a vault; the identity may read them there.
var purchasingTokenSettings = {
  COUNTERSIGN_PURCHASING_TOKEN: '@Microsoft.KeyVault(SecretUri=${purchasingTokenSecretUri})'
}

var proofSettings = {
  COUNTERSIGN_PROOF_KEY: '@Microsoft.KeyVault(SecretUri=${proofKeySecretUri})'
}

var proofVaultSettings = {
  COUNTERSIGN_PROOF_VAULT_KEY: proofVaultKeyUri
  COUNTERSIGN_PROOF_VAULT_PUBLIC_KEY: proofVaultPublicKey
}

resource plan 'Microsoft.Web/serverfarms@2025-05-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: {
    name: 'FC1'
    tier: 'FlexConsumption'
  }
  properties: {
    reserved: true
  }
}

resource app 'Microsoft.Web/sites@2025-05-01' = {
  name: name
  location: location
  // azd finds the app that it deploys to by this tag.
  tags: union(tags, { 'azd-service-name': 'api' })
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identityId}': {}
    }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    keyVaultReferenceIdentity: identityId
    functionAppConfig: {
      runtime: {
        name: 'python'
        version: '3.11'
      }
      deployment: {
        storage: {
          type: 'blobContainer'
          value: packageContainer
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identityId
          }
        }
      }
      scaleAndConcurrency: {
        // What scales the app reads the backend in the file host.json, and not in the settings that go
        // before it. It would wait for work at a scheduler that isn't there, and start nothing.
        alwaysReady: empty(schedulerConnection)
          ? [
              {
                name: 'durable'
                instanceCount: 1
              }
            ]
          : []
        maximumInstanceCount: maximumInstances
        instanceMemoryMB: instanceMemory
      }
      // What runs may end, and requests are answered meanwhile.
      siteUpdateStrategy: {
        type: 'RollingUpdate'
      }
    }
  }

  resource settings 'config' = {
    name: 'appsettings'
    properties: union(
      hostSettings,
      identitySettings,
      concurrencySettings,
      durableSettings,
      empty(schedulerConnection) ? storageProviderSettings : schedulerSettings,
      telemetrySettings,
      signInSettings,
      countersignSettings,
      modelProvider == 'azure' ? modelSettings : {},
      empty(purchasingUrl) ? {} : purchasingSettings,
      empty(purchasingTokenSecretUri) ? {} : purchasingTokenSettings,
      empty(proofKeySecretUri) ? {} : proofSettings,
      empty(proofVaultKeyUri) ? {} : proofVaultSettings,
      extraSettings
    )
  }

  // Deployments sign in as a person or a program of Entra ID. The plan has no FTP to switch off.
  resource publishingByPassword 'basicPublishingCredentialsPolicies' = {
    name: 'scm'
    properties: {
      allow: false
    }
  }
}

@description('The name of the app.')
output name string = app.name

@description('The address of the app.')
output uri string = 'https://${app.properties.defaultHostName}'
