/**
 * Who may do what. An *organization* owns everything else; `Global` (id 1) has no members, and what its *system keys*
 * make is readable by all. A *user* is a person with one account; a *member* is a user in an organization, with a
 * role. An *invitation* becomes a membership. An *API key* acts for its organization, in a role of its own. A *login*
 * is a family of refresh tokens, of which one is unused; it has *access tokens* of 15 minutes, and they end with it. Its
 * owner sees it as a *session*. What a member issues (keys, invitations, reset links) ends when the member could no
 * longer issue it, and every server is told, so that streams end with it.
 *
 * Others use the authenticator, which answers who a request comes from, and the handlers; the program uses the first
 * start and what the commands of the operator do.
 */
export { apiKeyHandlers } from './api-keys/api-key-handlers.ts';
export {
  type ChatMember,
  createChatLink,
  deleteExpiredChatLinksAcrossOrganizations,
  findChatMember,
} from './chat-accounts/chat-account-queries.ts';
export { deleteOldFeedbackAcrossOrganizations } from './feedback/delete-old-feedback.ts';
export { feedbackHandlers } from './feedback/feedback-handlers.ts';
export { type FeedbackRow, listFeedbackAcrossOrganizations } from './feedback/feedback-queries.ts';
export { type Authenticator, createAuthenticator, createEmbeddedAgentToken } from './login/authenticate.ts';
export { keyIsUsable } from './login/authentication-queries.ts';
export { findCurrentRole } from './login/current-role.ts';
export { endAllLoginsAcrossOrganizations, voidAllLinksAcrossOrganizations } from './login/end-all-logins.ts';
export { findIssuer, type Issuer, mayIssuerRead } from './login/issuer.ts';
export { loginHandlers } from './login/login-handlers.ts';
export { createLoginTokens, type LoginTokens } from './login/login-tokens.ts';
export { deleteExpiredLoginsAcrossOrganizations } from './login/refresh-token-queries.ts';
export { checkOrigin } from './login/request-origin.ts';
export { memberHandlers } from './members/member-handlers.ts';
export { findAddressesOfMembers, findMember } from './members/member-queries.ts';
export { oneTimeLink } from './members/one-time-link.ts';
export {
  type AccountMade,
  createLoginLink,
  createOrganization,
  createSystemKey,
  createUser,
  disableTwoFactor,
  type PersonInvited,
  resetPassword,
} from './organizations/admin-accounts.ts';
export {
  ensureFirstStart,
  type FirstLogin,
  findAddressWithGeneratedPassword,
} from './organizations/first-start.ts';
export { systemOrganizationId } from './organizations/organization-queries.ts';
export { announceRightsChange, onRightsChange, sendRightsChange } from './rights-changes.ts';
export { examineLoginProviders } from './single-sign-on/examine-login-providers.ts';
export { forgetProviderTokensAcrossOrganizations } from './single-sign-on/identity-queries.ts';
export { serveSingleSignOn } from './single-sign-on/serve-single-sign-on.ts';
export { createSingleSignOn, type SingleSignOn } from './single-sign-on/single-sign-on.ts';
export { resealSecondFactorsAcrossOrganizations } from './two-factor/second-factor-queries.ts';
export { assertMayRequireTwoFactor, requireTwoFactorKey } from './two-factor/two-factor-requirement.ts';
