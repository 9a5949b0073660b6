#!/bin/sh
# Say that the app answers, and what is still to be done by hand.
set -eu

health="$SERVICE_API_URI/api/health"
if ! curl --silent --show-error --fail --output /dev/null --max-time 60 \
    --retry 30 --retry-delay 10 --retry-all-errors "$health"; then
    echo "The app does not answer at $health: see docs/deploy.md, 'If something is wrong'." >&2
    exit 1
fi

cat <<EOF

Reviewers find what waits for them at $SERVICE_API_URI/api/review.
Programs find the API described at $SERVICE_API_URI/api/openapi.json.

If nobody was let in yet: an administrator consents once, then people get roles:
  az ad app permission admin-consent --id $COUNTERSIGN_CLIENT_ID
  az ad app permission grant --id $COUNTERSIGN_CLIENT_ID --api $COUNTERSIGN_CLIENT_ID --scope user_impersonation
  infra/assign-role.sh Report.Reviewer grace@example.com
EOF
