import { randomBytes } from 'node:crypto';
import { systemActor } from '../../../domain/audit/actor.ts';
import { type Database, hasSqlState, type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { emailProblem, isEmailAddress, type KeyRole, type Role } from '../../../platform/http/index.ts';
import { createPasswords } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import { deactivateApiKey, findApiKey, insertApiKey } from '../api-keys/api-key-queries.ts';
import { insertLoginLink } from '../login/login-link-handlers.ts';
import { passwordProblem } from '../login/password-problem.ts';
import { resetPasswordOf } from '../login/reset-password-of.ts';
import { findUserByEmail, insertUser, lockUser, normalizeEmail } from '../login/user-queries.ts';
import { issueInvitation } from '../members/issue-invitation.ts';
import { insertMember } from '../members/member-queries.ts';
import { sendRightsChange } from '../rights-changes.ts';
import { auditTwoFactor } from '../two-factor/audit-two-factor.ts';
import { deleteSecondFactor } from '../two-factor/second-factor-queries.ts';
import { insertOrganization, lockOrganization, systemOrganizationId } from './organization-queries.ts';

/** What the commands of the operator do, while the server runs or not. Errors are `ApiError`s; their messages are for the operator. */
export interface NewAccount {
  email: string;
  /** Random when null, and then answered once. */
  password: string | null;
}

export interface AccountMade {
  kind: 'account';
  userId: number;
  email: string;
  /** What is to be handed over. */
  password: string;
}

/**
 * Somebody has an account for the address, who may not be the person the operator means: an address of an account is not
 * verified. So nobody becomes a member silently. The operator hands this link to the person, who accepts it logged in.
 */
export interface PersonInvited {
  kind: 'invitation';
  email: string;
  /** Of the link, which no account and no list shows. */
  token: string;
}

/** An organization with an owner: a new account, or an invitation when the address has an account. */
export async function createOrganization(
  db: Database,
  { name, owner }: { name: string; owner: NewAccount },
): Promise<{ organizationId: number; owner: AccountMade | PersonInvited }> {
  const trimmed = checkedName(name);
  const prepared = await prepareAccount(db, owner);
  return orConflict(
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

/** A member of an organization: a new account, or an invitation when the address has an account. */
export async function createUser(
  db: Database,
  { organizationId, role, user }: { organizationId: number; role: Role; user: NewAccount },
): Promise<AccountMade | PersonInvited> {
  if (organizationId === systemOrganizationId)
    throw new ApiError('conflict', "The Global organization can't have members.");
  const prepared = await prepareAccount(db, user);
  return orConflict(
    transaction(db, async (tx) => {
      const organization = await tx
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', organizationId)
        .executeTakeFirst();
      if (!organization) throw new ApiError('not_found', `Organization ${organizationId} not found.`);
      await lockOrganization(tx, organizationId);
      return addPerson(tx, organizationId, prepared, role);
    }),
  );
}

/** Sets a password (random when null), ends every login of the person, and unlinks those that give no membership. */
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
    await sendRightsChange(tx, { userId: user.id });
  });
  return { email: user.email, password: newPassword };
}

/** For somebody who has lost the authenticator app and the recovery codes. The password stays. */
export async function disableTwoFactor(db: Database, email: string): Promise<{ email: string }> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ApiError('not_found', `User ${normalizeEmail(email)} not found.`);
  await transaction(db, async (tx) => {
    await lockUser(tx, user.id);
    if (!(await deleteSecondFactor(tx, user.id)))
      throw new ApiError('conflict', `Two-factor authentication isn't enabled for ${user.email}.`);
    // Organizations that require it are closed to their sessions until they set it up again.
    await sendRightsChange(tx, { userId: user.id });
    await auditTwoFactor(tx, user, { action: 'two_factor_disabled', requestId: null });
  });
  return { email: user.email };
}

/** A link that logs a person in even if other ways fail. @returns its token */
export async function createLoginLink(
  db: Database,
  email: string,
): Promise<{ email: string; token: string }> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new ApiError('not_found', `User ${normalizeEmail(email)} not found.`);
  const token = await transaction(db, (tx) => insertLoginLink(tx, user.id));
  return { email: user.email, token };
}

/** A key of the organization Global. It is answered this once. */
export async function createSystemKey(
  db: Database,
  { name, role }: { name: string; role: Role | KeyRole },
): Promise<{ id: number; key: string }> {
  const trimmed = checkedName(name);
  return transaction(db, async (tx) => {
    const made = await insertApiKey(tx, systemOrganizationId, {
      name: trimmed,
      description: '',
      role,
      expiresAt: null,
      createdBy: systemActor,
    });
    await writeAuditLog(tx, systemOrganizationId, {
      action: 'api_key.created',
      resourceId: made.id,
      resourceName: trimmed,
      actor: systemActor,
      detail: { role },
      requestId: null,
    });
    return made;
  });
}

/** Ends a system key for good: no list shows it, so that only the operator can. */
export async function deactivateSystemKey(db: Database, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    const row = await findApiKey(tx, systemOrganizationId, id);
    if (!row) throw notFound();
    await deactivateApiKey(tx, systemOrganizationId, id);
    await sendRightsChange(tx, { apiKeyId: id });
    await writeAuditLog(tx, systemOrganizationId, {
      action: 'api_key.deactivated',
      resourceId: id,
      resourceName: row.name,
      actor: systemActor,
      requestId: null,
    });
  });
}

/** 24 characters of 144 random bits. */
export function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}

interface PreparedAccount {
  email: string;
  /** Null when there is an account. */
  made: { password: string; passwordHash: string } | null;
}

/** Hashing takes a tenth of a second, for which no transaction is kept open. */
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
): Promise<AccountMade | PersonInvited> {
  const by = { actor: systemActor, requestId: null };
  if (!made) {
    const wish = { email, role, invitedBy: 'operator' as const };
    const { token } = await issueInvitation(tx, organizationId, wish, by);
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

/** Somebody else made the same account meanwhile. */
async function orConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
    throw error;
  }
}

/** The rules of the contract, which the operator's commands do not pass through. */
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
