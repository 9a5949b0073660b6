metadata description = 'Makes published reports unchangeable for a time, also for the app and for administrators.'

@description('The account that keeps the reports.')
param accountName string

@description('The container of the reports.')
param containerName string

@description('Days for which a report can be neither changed nor deleted.')
@minValue(1)
@maxValue(146000)
param days int

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accountName

  resource blobs 'blobServices' existing = {
    name: 'default'

    resource reports 'containers' existing = {
      name: containerName
    }
  }
}

resource policy 'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2025-01-01' = {
  parent: account::blobs::reports
  name: 'default'
  properties: {
    immutabilityPeriodSinceCreationInDays: days
    allowProtectedAppendWrites: false
  }
}
