# Give a person or a group a role of the app: assign-role.ps1 ROLE WHO
#   ROLE  one of infra/app-roles.json, for example Report.Reviewer
#   WHO   a user's sign-in name, a group's name, or the object id of either
param(
    [Parameter(Mandatory)] [string] $Role,
    [Parameter(Mandatory)] [string] $Who
)
$ErrorActionPreference = 'Stop'

function Assert-Success([string] $Otherwise) {
    # A program that fails does not stop PowerShell.
    if ($LASTEXITCODE -ne 0) {
        throw $Otherwise
    }
}

$client = azd env get-value COUNTERSIGN_CLIENT_ID
Assert-Success "azd knows no deployed app here; run 'azd up', or choose with 'azd env select'."
$answer = az ad sp show --id $client --output json
Assert-Success "The app $client was not found in Entra ID; the line above says why."
$service = $answer | ConvertFrom-Json
$appRole = $service.appRoles | Where-Object { $_.value -eq $Role }
if (-not $appRole) {
    throw "The app has no role $Role; infra/app-roles.json lists them."
}
$principal = az ad user show --id $Who --query id --output tsv 2>$null
if ($LASTEXITCODE -ne 0) {
    $principal = az ad group show --group $Who --query id --output tsv 2>$null
    Assert-Success "Neither a user nor a group is called $Who."
}

# By a file: quotes in an argument do not survive every shell on Windows.
$body = New-TemporaryFile
try {
    @{ principalId = $principal; resourceId = $service.id; appRoleId = $appRole.id } |
        ConvertTo-Json | Set-Content -Path $body
    az rest --method post --output none --headers 'Content-Type=application/json' `
        --url "https://graph.microsoft.com/v1.0/servicePrincipals/$($service.id)/appRoleAssignedTo" `
        --body "@$body"
    Assert-Success 'The role was not assigned; the line above says why.'
}
finally {
    Remove-Item $body
}
Write-Host "$Who has the role $Role. Tokens that were given out before do not show it yet."
