#!/bin/sh
# Give a person or a group a role of the app: assign-role.sh ROLE WHO
#   ROLE  one of infra/app-roles.json, for example Report.Reviewer
#   WHO   a user's sign-in name, a group's name, or the object id of either
set -eu

if [ $# -ne 2 ]; then
    echo "usage: $0 ROLE WHO" >&2
    exit 2
fi
role=$1
who=$2

client=$(azd env get-value COUNTERSIGN_CLIENT_ID)
service=$(az ad sp show --id "$client" --query id --output tsv)
role_id=$(az ad sp show --id "$client" --query "appRoles[?value=='$role'].id" --output tsv)
if [ -z "$role_id" ]; then
    echo "The app has no role $role; infra/app-roles.json lists them." >&2
    exit 1
fi
principal=$(az ad user show --id "$who" --query id --output tsv 2>/dev/null) ||
    principal=$(az ad group show --group "$who" --query id --output tsv 2>/dev/null) || {
    echo "Neither a user nor a group is called $who." >&2
    exit 1
}

az rest --method post --output none \
    --url "https://graph.microsoft.com/v1.0/servicePrincipals/$service/appRoleAssignedTo" \
    --body "{\"principalId\": \"$principal\", \"resourceId\": \"$service\", \"appRoleId\": \"$role_id\"}"
echo "$who has the role $role. Tokens that were given out before do not show it yet."
