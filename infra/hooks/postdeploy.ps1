# Say that the app answers, and what is still to be done by hand.
$ErrorActionPreference = 'Stop'

$health = "$env:SERVICE_API_URI/api/health"
try {
    Invoke-WebRequest -Uri $health -TimeoutSec 60 -MaximumRetryCount 30 -RetryIntervalSec 10 | Out-Null
}
catch {
    throw "The app does not answer at ${health}: see docs/deploy.md, 'If something is wrong'. $_"
}

Write-Host @"

Countersign answers at $env:SERVICE_API_URI; its calls are described at $env:SERVICE_API_URI/api/openapi.json.

Nobody can sign in yet. An administrator consents once, then people get roles:
  az ad app permission admin-consent --id $env:COUNTERSIGN_CLIENT_ID
  infra/assign-role.ps1 Report.Reviewer grace@example.com
"@
