# Fail before anything is made, and with one sentence, where provisioning would fail half-way.
$ErrorActionPreference = 'Stop'

if (-not (Get-Command az -ErrorAction SilentlyContinue)) {
    throw 'The Azure CLI is missing: https://learn.microsoft.com/cli/azure/install-azure-cli'
}
az account show --output none 2>$null
if ($LASTEXITCODE -ne 0) {
    throw "Nobody is signed in to the Azure CLI: run 'az login'."
}

# A subscription that never had a scheduler or a function app does not know their providers.
foreach ($provider in 'Microsoft.App', 'Microsoft.DurableTask', 'Microsoft.OperationalInsights', 'Microsoft.Web') {
    az provider register --namespace $provider --subscription $env:AZURE_SUBSCRIPTION_ID --wait --output none
    if ($LASTEXITCODE -ne 0) {
        throw "The resource provider $provider could not be registered."
    }
}
