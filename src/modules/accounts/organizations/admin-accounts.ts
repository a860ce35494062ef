/**
 * Operator commands for accounts. They also work while the server runs. Their errors are `ApiError`s with
 * messages for the operator.
 */
import { randomBytes } from 'node:crypto';
import { systemActor } from '../../../domain/audit/actor.ts';
import { type Database, hasSqlState, type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { emailProblem, isEmailAddress, type KeyRole, type Role } from '../../../platform/http/index.ts';
import { createPasswords } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import { deactivateApiKey, findApiKey, insertApiKey } from '../api-keys/api-key-queries.ts';
import { insertLoginLink } from '../login/login-link-handlers.ts';
import { resetPasswordOf } from '../login/reset-password-of.ts';
import { auditPerson } from '../people/audit-person.ts';
import { issueInvitation } from '../people/issue-invitation.ts';
import { insertMember } from '../people/member-queries.ts';
import {
  insertOrganization,
  lockOrganization,
  systemOrganizationId,
} from '../people/organization-queries.ts';
import { passwordProblem } from '../people/password-problem.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { findUserByEmail, insertUser, lockUser, normalizeEmail } from '../people/user-queries.ts';
import { auditTwoFactor } from '../two-factor/audit-two-factor.ts';
import { deleteSecondFactor } from '../two-factor/second-factor-queries.ts';

/** Account to create. */
export interface NewAccount {
  email: string;
  /** If null, a random password is generated and returned once. */
  password: string | null;
}

export interface CreatedAccount {
  kind: 'account';
  userId: number;
  email: string;
  /** The password that the operator gives to the person. */
  password: string;
}

/**
 * An invitation that is created instead of an account, because the address already has an account. The owner
 * of that account must not become a member automatically: addresses aren't verified, so the account may
 * belong to someone other than the intended person. The operator gives the link to the person, who accepts it
 * while logged in.
 */
export interface CreatedInvitation {
  kind: 'invitation';
  email: string;
  /** Token of the invitation link. It isn't stored, so it can't be shown again. */
  token: string;
}

/**
 * Creates an organization with an owner. The owner gets a new account, or an invitation if the address
 * already has one.
 */
export async function createOrganization(
  db: Database,
  { name, owner }: { name: string; owner: NewAccount },
): Promise<{ organizationId: number; owner: CreatedAccount | CreatedInvitation }> {
  const trimmed = checkedName(name);
  const prepared = await prepareAccount(db, owner);
  return mapUniqueViolation(
    transaction(db, async (tx) => {
      const organizationId = await insertOrganization(tx, trimmed);
      const added = await addPerson(tx, organizationId, prepared, 'owner');
      await writeAuditLog(tx, organizationId, {
        action: 'organization.created',
        resourceId: organizationId,
        resourceName: trimmed,
        actor: systemActor,
        requestId: null,
      });
      return { organizationId, owner: added };
    }),
  );
}

/**
 * Adds a member to an organization. The person gets a new account, or an invitation if the address already
 * has one.
 */
export async function createUser(
  db: Database,
  { organizationId, role, user }: { organizationId: number; role: Role; user: NewAccount },
): Promise<CreatedAccount | CreatedInvitation> {
  if (organizationId === systemOrganizationId)
    throw new ApiError('conflict', "The Global organization can't have members.");
  const prepared = await prepareAccount(db, user);
  return mapUniqueViolation(
    transaction(db, async (tx) => {
      const organization = await tx
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', organizationId)
        .where('sample_user_id', 'is', null)
        .executeTakeFirst();
      if (!organization) throw new ApiError('not_found', `Organization ${organizationId} not found.`);
      await lockOrganization(tx, organizationId);
      return addPerson(tx, organizationId, prepared, role);
    }),
  );
}

/**
 * Sets a password (random if null), ends all logins of the person, and unlinks identities that don't grant a
 * membership.
 */
export async function resetPassword(
  db: Database,
  { email, password }: NewAccount,
): Promise<{ email: string; password: string }> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ApiError('not_found', `User ${normalizeEmail(email)} not found.`);
  const newPassword = checkedPassword(password);
  const passwordHash = await createPasswords().hash(newPassword);
  await transaction(db, async (tx) => {
    await lockUser(tx, user.id);
    await resetPasswordOf(tx, user, passwordHash, { actor: systemActor, requestId: null });
    announceRightsChange(tx, { userId: user.id });
  });
  return { email: user.email, password: newPassword };
}

/**
 * Disables two-factor authentication for a person who lost the authenticator app and the recovery codes. The
 * password stays valid.
 */
export async function disableTwoFactor(db: Database, email: string): Promise<{ email: string }> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ApiError('not_found', `User ${normalizeEmail(email)} not found.`);
  await transaction(db, async (tx) => {
    await lockUser(tx, user.id);
    if (!(await deleteSecondFactor(tx, user.id)))
      throw new ApiError('conflict', `Two-factor authentication isn't enabled for ${user.email}.`);
    // The person's sessions can't access organizations that require two-factor authentication until it's set
    // up again.
    announceRightsChange(tx, { userId: user.id });
    await auditTwoFactor(tx, user, { action: 'two_factor_disabled', requestId: null });
  });
  return { email: user.email };
}

/**
 * Creates a link that logs a person in even if other login methods fail.
 * @returns The email address of the account and the token of the link.
 */
export async function createLoginLink(
  db: Database,
  email: string,
): Promise<{ email: string; token: string }> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ApiError('not_found', `User ${normalizeEmail(email)} not found.`);
  const token = await transaction(db, async (tx) => {
    await auditPerson(tx, user, {
      action: 'member.login_link_created',
      actor: systemActor,
      requestId: null,
    });
    return insertLoginLink(tx, user.id);
  });
  return { email: user.email, token };
}

/** Creates a key of the Global organization. The key is returned only once. */
export async function createSystemKey(
  db: Database,
  { name, role }: { name: string; role: Role | KeyRole },
): Promise<{ id: number; key: string }> {
  const trimmed = checkedName(name);
  return transaction(db, async (tx) => {
    const newAccount = await insertApiKey(tx, systemOrganizationId, {
      name: trimmed,
      description: '',
      role,
      expiresAt: null,
      createdBy: systemActor,
    });
    await writeAuditLog(tx, systemOrganizationId, {
      action: 'api_key.created',
      resourceId: newAccount.id,
      resourceName: trimmed,
      actor: systemActor,
      detail: { role },
      requestId: null,
    });
    return newAccount;
  });
}

/**
 * Revokes a system key permanently. Only the operator can do this, because system keys aren't listed
 * anywhere.
 */
export async function deactivateSystemKey(db: Database, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    const row = await findApiKey(tx, systemOrganizationId, id);
    if (!row) throw notFound();
    await deactivateApiKey(tx, systemOrganizationId, id);
    announceRightsChange(tx, { apiKeyId: id });
    await writeAuditLog(tx, systemOrganizationId, {
      action: 'api_key.deactivated',
      resourceId: id,
      resourceName: row.name,
      actor: systemActor,
      requestId: null,
    });
  });
}

/** Returns 24 characters that encode 144 random bits. */
export function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}

interface PreparedAccount {
  email: string;
  /** Null if the address already has an account. */
  made: { password: string; passwordHash: string } | null;
}

/**
 * Checks the account and hashes its password. Hashing takes 0.1 s, so it's done before the transaction
 * starts.
 */
async function prepareAccount(db: Database, { email, password }: NewAccount): Promise<PreparedAccount> {
  const address = checkedEmail(email);
  if (await findUserByEmail(db, address)) {
    if (password !== null) {
      throw new ApiError(
        'conflict',
        `${address} already has an account. Omit the password; it isn't changed.`,
      );
    }
    return { email: address, made: null };
  }
  const chosen = checkedPassword(password);
  return { email: address, made: { password: chosen, passwordHash: await createPasswords().hash(chosen) } };
}

async function addPerson(
  tx: Tx,
  organizationId: number,
  { email, made }: PreparedAccount,
  role: Role,
): Promise<CreatedAccount | CreatedInvitation> {
  const by = { actor: systemActor, requestId: null };
  if (!made) {
    const newInvitation = { email, role, invitedBy: 'operator' as const };
    const { token } = await issueInvitation(tx, organizationId, newInvitation, by);
    return { kind: 'invitation', email, token };
  }
  const [name] = email.split('@');
  const userId = await insertUser(tx, { email, name: name!, passwordHash: made.passwordHash });
  const memberId = await insertMember(tx, organizationId, { userId, role });
  await writeAuditLog(tx, organizationId, {
    action: 'member.created',
    resourceId: memberId!,
    resourceName: email,
    detail: { role },
    ...by,
  });
  return { kind: 'account', userId, email, password: made.password };
}

/** Throws `conflict` if another process created the same account at the same time. */
async function mapUniqueViolation<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
    throw error;
  }
}

/** Checks the rules of the API contract, because operator commands don't use the API. */
function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > 200) throw invalidField('name', 'must have 1 to 200 characters');
  return trimmed;
}

function checkedEmail(email: string): string {
  const address = normalizeEmail(email);
  if (!isEmailAddress(address) || address.length > 254) throw invalidField('email', emailProblem);
  return address;
}

function checkedPassword(password: string | null): string {
  if (password === null) return randomPassword();
  const problem = passwordProblem(password);
  if (problem !== null) throw invalidField('password', problem);
  return password;
}
