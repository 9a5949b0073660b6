/** What of the Trusted Types API is used, which not every browser has, and TypeScript's library neither. */

declare global {
  var trustedTypes: TrustedTypes | undefined;
}

interface TrustedTypes {
  /** A policy whose products count as text here, since TypeScript lets only text be parsed. */
  createPolicy(name: string, rules: Policy): Policy;
}

interface Policy {
  createHTML(html: string): string;
}

export {};
