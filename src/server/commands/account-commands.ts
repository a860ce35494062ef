import {
  createOrganization,
  createSystemKey,
  createUser,
  resetPassword,
} from '../../modules/accounts/index.ts';
import type { KeyRole, Role } from '../../platform/http/index.ts';
import { type CommandContext, type OperatorCommand, UsageError } from './operator-command.ts';

const password = { type: 'string' } as const;

const createOrganizationCommand: OperatorCommand = {
  name: 'admin create-organization',
  synopsis: 'NAME --owner-email E [--owner-password P]',
  summary: 'makes an organization and its owner',
  help: `
  --owner-email E     the owner; an account is made when there is none
  --owner-password P  of a new account; random when left out, and printed this once`,
  positionals: ['NAME'],
  options: { 'owner-email': { type: 'string' }, 'owner-password': password },
  async run({ args, option, open, print }) {
    const email = needed('owner-email', option);
    const { db } = await open();
    const { organizationId, owner } = await createOrganization(db, {
      name: args[0]!,
      owner: { email, password: option('owner-password') },
    });
    print(`Organization ${organizationId} is made. Its owner is ${owner.email}.`);
    printPassword(owner.password, option('owner-password'), print);
  },
};

const createUserCommand: OperatorCommand = {
  name: 'admin create-user',
  synopsis: 'EMAIL --organization ID [--role R] [--password P]',
  summary: 'makes somebody a member of an organization',
  help: `
  --organization ID  the id of the organization
  --role R           viewer, member (default), admin or owner
  --password P       of a new account; random when left out, and printed this once

Who has an account already keeps it and becomes a member.`,
  positionals: ['EMAIL'],
  options: { organization: { type: 'string' }, role: { type: 'string' }, password },
  async run({ args, option, open, print }) {
    const organization = needed('organization', option);
    const organizationId = Number(organization);
    if (!/^[1-9][0-9]{0,14}$/.test(organization))
      throw new UsageError('--organization is the id of an organization.');
    const role = oneOf<Role>('role', option('role') ?? 'member', ['viewer', 'member', 'admin', 'owner']);
    const { db } = await open();
    const user = { email: args[0]!, password: option('password') };
    const made = await createUser(db, { organizationId, role, user });
    print(`${made.email} is a member of organization ${organizationId} in the role ${role}.`);
    printPassword(made.password, option('password'), print);
  },
};

const resetPasswordCommand: OperatorCommand = {
  name: 'admin reset-password',
  synopsis: 'EMAIL [--password P]',
  summary: 'sets the password of a user and ends all their logins',
  help: `
  --password P  random when left out, and printed this once`,
  positionals: ['EMAIL'],
  options: { password },
  async run({ args, option, open, print }) {
    const { db } = await open();
    const made = await resetPassword(db, { email: args[0]!, password: option('password') });
    print(`${made.email} has a new password and is logged out everywhere.`);
    printPassword(made.password, option('password'), print);
  },
};

const createSystemKeyCommand: OperatorCommand = {
  name: 'admin create-system-key',
  synopsis: 'NAME [--role R]',
  summary: 'makes an API key whose jobs are global',
  help: `
  --role R  viewer, member, admin (default), agent or reporter

Prints the key, and nothing else, on standard output. It is shown this once. What a system key creates is readable by
every organization; one with the role agent does global tasks.`,
  positionals: ['NAME'],
  options: { role: { type: 'string' } },
  async run({ args, option, open, print, note }) {
    const roles = ['viewer', 'member', 'admin', 'agent', 'reporter'] as const;
    const role = oneOf<Role | KeyRole>('role', option('role') ?? 'admin', roles);
    const { db } = await open();
    const { id, key } = await createSystemKey(db, { name: args[0]!, role });
    note(`System key ${id} is made. It is shown this once:`);
    print(key);
  },
};

export const accountCommands = [
  createOrganizationCommand,
  createUserCommand,
  resetPasswordCommand,
  createSystemKeyCommand,
];

function needed(name: string, option: CommandContext['option']): string {
  const value = option(name);
  if (value === null) throw new UsageError(`--${name} is missing.`);
  return value;
}

function oneOf<Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new UsageError(`--${name} is one of: ${values.join(', ')}.`);
  return found;
}

/** What the operator chose is known to the operator. */
function printPassword(made: string | null, given: string | null, print: CommandContext['print']): void {
  if (made !== null && given === null) print(`Password: ${made}`);
}
