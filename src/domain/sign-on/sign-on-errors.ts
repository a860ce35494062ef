/**
 * Reasons for a failed single sign-on login, each with a message and a remedy. The browser returns to the app with the
 * code of the reason. The troubleshooting page is generated from this list.
 */
export const signOnErrors = {
  provider_unavailable: {
    message: "The login provider can't be reached.",
    remedy: "Try again shortly. If it keeps failing, an operator can run 'pacekeeper doctor'.",
  },
  provider_refused: {
    message: 'The login provider rejected the login.',
    remedy: 'Log in again. If it keeps failing, ask an administrator of the provider for access.',
  },
  client_rejected: {
    message: "The login provider doesn't accept Pacekeeper's credentials.",
    remedy:
      "Ask an operator to check the client ID and the client secret, which might have expired. The server log and 'pacekeeper doctor' show the provider's error.",
  },
  attempt_expired: {
    message: 'This login was started in another browser, has expired, or was already used.',
    remedy: 'Log in again.',
  },
  response_invalid: {
    message: "The login provider's response isn't valid.",
    remedy: "Log in again. If it keeps failing, check the server log and the provider's client settings.",
  },
  claim_required: {
    message: "Your account at the login provider isn't allowed to use Pacekeeper.",
    remedy: 'Log in with another account, or ask an operator to check `required_claims`.',
  },
  groups_unavailable: {
    message: "The login provider didn't send your groups because there are too many.",
    remedy: 'Ask an operator to limit the groups in the token to those assigned to Pacekeeper.',
  },
  email_missing: {
    message: "The login provider didn't send an email address.",
    remedy: 'Ask an operator to request the `email` scope and claim, or to set `email_claim`.',
  },
  email_not_verified: {
    message: "The login provider hasn't verified your email address.",
    remedy:
      'Verify it there. If the provider manages all addresses itself, an operator can set `trust_email`.',
  },
  account_exists: {
    message: 'An account with this email address already exists.',
    remedy: 'Log in to it, then link this login on the account settings page.',
  },
  sign_up_disabled: {
    message: "You don't have an account yet, and this login provider can't create one.",
    remedy: 'Ask an administrator for an invitation, then link this login on the account settings page.',
  },
  no_access: {
    message: "Your account doesn't have access to any organization.",
    remedy: "Ask for access to one of the provider's groups that have a role in Pacekeeper.",
  },
  identity_in_use: {
    message: 'This login is already linked to another account.',
    remedy: 'Unlink it there first.',
  },
  session_ended: {
    message: 'Your session ended before the login was linked.',
    remedy: 'Log in, then link it again.',
  },
  rate_limited: {
    message: 'Too many login attempts.',
    remedy: 'Wait a minute, then try again.',
  },
  internal: {
    message: 'The login failed because of an internal error.',
    remedy: 'Try again. If it keeps failing, check the server log.',
  },
} as const satisfies Record<string, { message: string; remedy: string }>;

export type SignOnErrorCode = keyof typeof signOnErrors;

export function isSignOnErrorCode(text: string): text is SignOnErrorCode {
  return Object.hasOwn(signOnErrors, text);
}
