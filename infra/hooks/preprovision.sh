#!/bin/sh
# Fail before anything is made, and with one sentence, where provisioning would fail half-way.
set -eu

if ! command -v az >/dev/null 2>&1; then
    echo "The Azure CLI is missing: https://learn.microsoft.com/cli/azure/install-azure-cli" >&2
    exit 1
fi
if ! az account show --output none 2>/dev/null; then
    echo "Nobody is signed in to the Azure CLI: run 'az login'." >&2
    exit 1
fi

# A subscription that never had a scheduler or a function app does not know their providers.
for provider in Microsoft.App Microsoft.DurableTask Microsoft.OperationalInsights Microsoft.Web; do
    az provider register --namespace "$provider" --subscription "$AZURE_SUBSCRIPTION_ID" --wait --output none
done
