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

Reviewers find what waits for them at $env:SERVICE_API_URI/api/review.
Programs find the API described at $env:SERVICE_API_URI/api/openapi.json.

If nobody was let in yet: an administrator consents once, then people get roles:
  az ad app permission admin-consent --id $env:COUNTERSIGN_CLIENT_ID
  az ad app permission grant --id $env:COUNTERSIGN_CLIENT_ID --api $env:COUNTERSIGN_CLIENT_ID --scope user_impersonation
  infra/assign-role.ps1 Report.Reviewer grace@example.com
"@
