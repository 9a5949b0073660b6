/**
 * A certified OpenID provider with the people and the client of the tests.
 *
 * Arguments: the folder that `oidc-provider` is installed in, and a JSON object: `port`, `audience`,
 * `seconds` (how long access tokens are good), `people` (the roles of each by their name).
 */

import { pathToFileURL } from "node:url";

const [folder, told] = process.argv.slice(2);
const { port, audience, seconds, people } = JSON.parse(told);
const main = pathToFileURL(`${folder}/node_modules/oidc-provider/lib/index.js`);
const { default: Provider } = await import(main);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "page",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: ["http://127.0.0.1/api/review"],
    },
  ],
  clientBasedCORS: () => true,
  cookies: { keys: ["of the tests"] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
  claims: { openid: ["sub"], profile: ["name"] },
  issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
  rotateRefreshToken: true,
  extraTokenClaims: (_, { accountId }) => ({
    oid: accountId,
    tid: "home",
    name: accountId,
    roles: people[accountId] ?? [],
    scp: "decide",
  }),
  features: {
    resourceIndicators: {
      defaultResource: () => "urn:countersign",
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "decide",
        audience,
        accessTokenTTL: seconds,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});
// The page's port is not known before the app runs, and the app has to know the provider's.
const isPage = (uri) => /^http:\/\/127\.0\.0\.1:\d+\/api\/review$/.test(uri);
provider.Client.prototype.redirectUriAllowed = isPage;
provider.Client.prototype.postLogoutRedirectUriAllowed = isPage;
provider.listen(port, "127.0.0.1");
