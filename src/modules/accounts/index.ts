/**
 * Accounts and permissions. An *organization* owns everything else; `Global` (id 1) has no members, and all
 * organizations can read the resources that its *system keys* create. A *user* is a person with one account;
 * a *member* is a user in an organization, with a role. An *invitation* becomes a membership. An *API key*
 * acts for its organization, with its own role. A *login* is a family of refresh tokens, one of which is
 * unused. Its *access tokens* are valid for 15 minutes, but not longer than the login. Its owner sees the
 * login as a *session*. A key, an invitation, or a reset link ends when the member who issued it loses the
 * permission to issue it. All servers are notified of changes that end credentials or permissions, so that
 * they also end open streams. A *trust* lets CI jobs exchange an ID token of their platform for a *deployment
 * token*, which reports certain deployments for five minutes.
 *
 * Other modules use the handlers and the authenticator, which identifies the caller of a request. The program
 * uses the setup on first start and the functions behind the operator commands.
 */
export { apiKeyHandlers } from './api-keys/api-key-handlers.ts';
export {
  type ChatMember,
  createChatLink,
  deleteExpiredChatLinksAcrossOrganizations,
  findChatMember,
} from './chat-accounts/chat-account-queries.ts';
export { deploymentTrustHandlers } from './deployment-trusts/trust-handlers.ts';
export { deleteOldFeedbackAcrossOrganizations } from './feedback/delete-old-feedback.ts';
export { feedbackHandlers } from './feedback/feedback-handlers.ts';
export { type FeedbackRow, listFeedbackAcrossOrganizations } from './feedback/feedback-queries.ts';
export { type Authenticator, createAuthenticator, createEmbeddedAgentToken } from './login/authenticate.ts';
export { loginHandlers } from './login/login-handlers.ts';
export { examineLoginProviders } from './login-providers/examine-login-providers.ts';
export { createSingleSignOn, type SingleSignOn } from './login-providers/single-sign-on.ts';
export { memberHandlers } from './members/member-handlers.ts';
export {
  type CreatedAccount,
  type CreatedInvitation,
  createLoginLink,
  createOrganization,
  createSystemKey,
  createUser,
  disableTwoFactor,
  resetPassword,
} from './organizations/admin-accounts.ts';
export {
  ensureFirstStart,
  type FirstLogin,
  findAdminEmailWithGeneratedPassword,
} from './organizations/first-start.ts';
export { auditPerson } from './people/audit-person.ts';
export {
  findMember,
  insertMember,
  listOwnerAddresses,
  selectMemberAddresses,
} from './people/member-queries.ts';
export { oneTimeLink } from './people/one-time-link.ts';
export { systemOrganizationId } from './people/organization-queries.ts';
export { announceRightsChange, onRightsChange } from './people/rights-changes.ts';
export {
  deleteSampleOrganization,
  findSampleOrganization,
  insertSampleOrganization,
} from './people/sample-organization.ts';
export {
  assertCanRequireTwoFactor,
  requireTwoFactorKey,
} from './people/two-factor-requirement.ts';
export { lockUser } from './people/user-queries.ts';
export { keyIsUsable } from './sessions/authentication-queries.ts';
export { findCurrentRole } from './sessions/current-role.ts';
export { createDeploymentTokens, type DeploymentTokens } from './sessions/deployment-tokens.ts';
export {
  endAllLoginsAcrossOrganizations,
  voidAllLinksAcrossOrganizations,
} from './sessions/end-all-logins.ts';
export { canIssuerRead, findIssuer, type Issuer } from './sessions/issuer.ts';
export { createLoginTokens, type LoginTokens } from './sessions/login-tokens.ts';
export { deleteExpiredLoginsAcrossOrganizations } from './sessions/refresh-token-queries.ts';
export { checkOrigin } from './sessions/request-origin.ts';
export { forgetProviderTokensAcrossOrganizations } from './single-sign-on/identity-queries.ts';
export { serveSingleSignOn } from './single-sign-on/serve-single-sign-on.ts';
export { resealSecondFactorsAcrossOrganizations } from './two-factor/second-factor-queries.ts';
