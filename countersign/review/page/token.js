/**
 * A pasted token, for hosts without a sign-in of their own (such as bare Core Tools).
 *
 * It stays in this tab's session: never in a cookie, and gone when the tab is closed.
 */

const NAME = "countersign:token";
let token = stored();

export function pastedToken() {
  return token;
}

export function useToken(pasted) {
  token = pasted.trim().replace(/^Bearer\s+/i, "");
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // Without storage it lasts until the page is loaded again.
  }
}

export function dropToken() {
  token = "";
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // It was never kept.
  }
}

function stored() {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}
