import {
  type CreatedAccount,
  type CreatedInvitation,
  createLoginLink,
  createOrganization,
  createSystemKey,
  createUser,
  disableTwoFactor,
  oneTimeLink,
  resetPassword,
} from '../../modules/accounts/index.ts';
import type { KeyRole, Role } from '../../platform/http/index.ts';
import { browserUrl } from '../../server/listen-address.ts';
import { type CommandContext, type OperatorCommand, UsageError } from './operator-command.ts';

const password = { type: 'string' } as const;

const visibleArguments = `Every user of the machine can read the arguments of a running command. Pass a password on standard input.`;

function accountHelp(becomes: string): string {
  return `${visibleArguments}

If the email already has an account, the person doesn't become ${becomes} automatically. The command prints a one-time
invitation link instead; the person logs in and accepts it.`;
}

const createOrganizationCommand: OperatorCommand = {
  name: 'admin create-organization',
  synopsis: 'NAME --owner-email E [--owner-password P]',
  summary: 'Create an organization and its owner',
  help: `
  --owner-email E     Owner's email; creates the account if needed
  --owner-password P  Password for a new account (default: random, printed once);
                      - reads it from standard input

${accountHelp('the owner')}`,
  positionals: ['NAME'],
  options: { 'owner-email': { type: 'string' }, 'owner-password': password },
  async run(context) {
    const { args, option, open, print } = context;
    const email = needed('owner-email', option);
    const givenPassword = await context.secretOption('owner-password');
    const { db } = await open();
    const { organizationId, owner } = await createOrganization(db, {
      name: args[0]!,
      owner: { email, password: givenPassword },
    });
    const ownerNote = owner.kind === 'invitation' ? 'It has no owner yet.' : `Owner: ${owner.email}.`;
    print(`Organization ${organizationId} created. ${ownerNote}`);
    printAccess(owner, givenPassword, context);
  },
};

const createUserCommand: OperatorCommand = {
  name: 'admin create-user',
  synopsis: 'EMAIL --organization ID [--role R] [--password P]',
  summary: 'Add a member to an organization',
  help: `
  --organization ID  Organization ID
  --role R           viewer, member (default), admin, or owner
  --password P       Password for a new account (default: random, printed once);
                     - reads it from standard input

${accountHelp('a member')}`,
  positionals: ['EMAIL'],
  options: { organization: { type: 'string' }, role: { type: 'string' }, password },
  async run(context) {
    const { args, option, open, print } = context;
    const organization = needed('organization', option);
    const organizationId = Number(organization);
    if (!/^[1-9][0-9]{0,14}$/.test(organization))
      throw new UsageError('--organization must be an organization ID.');
    const role = oneOf<Role>('role', option('role') ?? 'member', ['viewer', 'member', 'admin', 'owner']);
    const givenPassword = await context.secretOption('password');
    const { db } = await open();
    const user = { email: args[0]!, password: givenPassword };
    const added = await createUser(db, { organizationId, role, user });
    if (added.kind !== 'invitation')
      print(`${added.email} added to organization ${organizationId} as ${role}.`);
    printAccess(added, givenPassword, context);
  },
};

const resetPasswordCommand: OperatorCommand = {
  name: 'admin reset-password',
  synopsis: 'EMAIL [--password P]',
  summary: "Reset a user's password and end all sessions",
  help: `
  --password P  New password (default: random, printed once); - reads it from standard input

${visibleArguments}`,
  positionals: ['EMAIL'],
  options: { password },
  async run({ args, secretOption, open, print }) {
    const givenPassword = await secretOption('password');
    const { db } = await open();
    const reset = await resetPassword(db, { email: args[0]!, password: givenPassword });
    print(`Password reset for ${reset.email}. All sessions ended.`);
    printPassword(reset, givenPassword, print);
  },
};

const disableTwoFactorCommand: OperatorCommand = {
  name: 'admin disable-two-factor',
  synopsis: 'EMAIL',
  summary: "Disable a user's two-factor authentication",
  help: `
For users who have lost their authenticator app and their recovery codes. Check who is asking first: afterward, the
password alone logs them in.`,
  positionals: ['EMAIL'],
  options: {},
  async run({ args, open, print }) {
    const { db } = await open();
    const { email } = await disableTwoFactor(db, args[0]!);
    print(`Two-factor authentication disabled for ${email}.`);
  },
};

const loginLinkCommand: OperatorCommand = {
  name: 'admin login-link',
  synopsis: 'EMAIL',
  summary: 'Create a one-time login link',
  help: `
The link works once, for 15 minutes, even when password login is disabled or the login provider is down. Its session
ends after 2 hours. The link is the only output on standard output.`,
  positionals: ['EMAIL'],
  options: {},
  async run({ args, config, open, print, note }) {
    const { db } = await open();
    const { email, token } = await createLoginLink(db, args[0]!);
    note(`Login link for ${email}, valid once, for 15 minutes:`);
    print(oneTimeLink(baseUrlOf(config), '/login', token));
  },
};

const createSystemKeyCommand: OperatorCommand = {
  name: 'admin create-system-key',
  synopsis: 'NAME [--role R]',
  summary: 'Create a system key for global jobs',
  help: `
  --role R  Role of the key: viewer, member, admin (default), agent, or reporter

Prints only the key to standard output, once. Resources created with a system key are visible to all organizations. A
system key with the agent role runs global tasks.`,
  positionals: ['NAME'],
  options: { role: { type: 'string' } },
  async run({ args, option, open, print, note }) {
    const roles = ['viewer', 'member', 'admin', 'agent', 'reporter'] as const;
    const role = oneOf<Role | KeyRole>('role', option('role') ?? 'admin', roles);
    const { db } = await open();
    const { id, key } = await createSystemKey(db, { name: args[0]!, role });
    note(`System key ${id} created. Save it now; it won't be shown again:`);
    print(key);
  },
};

export const accountCommands = [
  loginLinkCommand,
  createOrganizationCommand,
  createUserCommand,
  resetPasswordCommand,
  disableTwoFactorCommand,
  createSystemKeyCommand,
];

function needed(name: string, option: CommandContext['option']): string {
  const value = option(name);
  if (value === null) throw new UsageError(`--${name} is required.`);
  return value;
}

function oneOf<Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new UsageError(`--${name} must be one of: ${values.join(', ')}.`);
  return found;
}

/** Prints the generated password or the invitation link that a user needs to log in. */
function printAccess(
  account: CreatedAccount | CreatedInvitation,
  givenPassword: string | null,
  context: CommandContext,
): void {
  if (account.kind === 'invitation') printInvitation(account, context);
  else printPassword(account, givenPassword, context.print);
}

/** Prints only generated passwords, because the operator knows all other passwords. */
function printPassword(
  { password }: Pick<CreatedAccount, 'password'>,
  givenPassword: string | null,
  print: CommandContext['print'],
): void {
  if (givenPassword === null) print(`Password: ${password}`);
}

/** Prints the link of an invitation. The link is printed only once and can't be retrieved later. */
function printInvitation({ email, token }: CreatedInvitation, { config, print }: CommandContext): void {
  print(`${email} already has an account. Send them this one-time link (valid for 7 days):`);
  print(oneTimeLink(baseUrlOf(config), '/invitations/accept', token));
}

function baseUrlOf({ baseUrl, host, port }: CommandContext['config']): string {
  return baseUrl ?? browserUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}
