import { describe, expect, test } from 'vitest';
import { runAdmin } from '../../src/operator/commands/command-fixture.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { startTestServer, testSecretKey } from '../helpers/test-server.ts';
import { callError, createPeople, trustedProxyEnvironment } from './people.ts';

const server = await startTestServer(trustedProxyEnvironment);
const { join, logIn, newAddress, useInvitation } = createPeople(server);

/** Runs an operator command while the server is running. */
async function operator(...argv: string[]) {
  const env = {
    DATABASE_URL: databaseUrl(server.connection),
    PACEKEEPER_SECRET_KEY: testSecretKey.toString('base64'),
    PACEKEEPER_BASE_URL: 'https://pacekeeper.example',
  };
  const { code, stdout, stderr } = await runAdmin(argv, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const linkIn = (output: string) =>
  /https:\/\/pacekeeper\.example\/invitations\/accept#token=([\w-]{43})/.exec(output)?.[1];

/** Creates an attacker's organization, with an account for the email address of another person. */
async function squat() {
  const { owner } = await server.createOrganization('Attackers');
  const squatter = await join(owner, 'viewer', newAddress());
  return squatter;
}

describe('an account registered by an attacker for the address of another person', () => {
  test("doesn't own the organization that the operator creates for that address", async () => {
    const squatter = await squat();
    const printed = await operator('create-organization', 'Bank', '--owner-email', squatter.email);
    expect(printed).toMatch(/already has an account/);
    const again = await logIn(squatter);
    const { organizations } = await again.api.call('getMe');
    expect(organizations.map(({ name }) => name)).toEqual(['Attackers']);
  });

  test('doesn’t join an organization that the operator adds that address to, and can’t read the token', async () => {
    const squatter = await squat();
    const { id } = await server.createOrganization('Bank');
    const printed = await operator(
      'create-user',
      squatter.email,
      '--organization',
      String(id),
      '--role',
      'admin',
    );
    const token = linkIn(printed)!;
    expect(token).toBeDefined();
    expect(printed).not.toMatch(/Password/);
    const again = await logIn(squatter);
    const { organizations } = await again.api.call('getMe');
    expect(organizations.map(({ name }) => name)).toEqual(['Attackers']);
    const seen = JSON.stringify([
      await again.api.call('getMe'),
      await again.api.call('listSessions', {}),
      await callError(again.api.call('switchOrganization', { body: { organization_id: id } })),
    ]);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain('Bank');
  });
});

describe('the link that the operator forwards', () => {
  test('can be accepted once, by the person while logged in', async () => {
    const { owner: elsewhere } = await server.createOrganization('Shop');
    const person = await join(elsewhere, 'member');
    const token = linkIn(await operator('create-organization', 'Second', '--owner-email', person.email))!;
    // The link requires a session of that account and can't create a new account.
    expect(await useInvitation(token)).toBe(401);
    const { organization } = await person.api.call('acceptInvitation', { body: { token } });
    expect(organization).toMatchObject({ name: 'Second', role: 'owner' });
    expect(await callError(person.api.call('acceptInvitation', { body: { token } }))).toMatchObject({
      status: 404,
      detail: expect.stringMatching(
        /^This link isn't valid, was used, or has expired\. Ask an administrator/,
      ),
    });
  });

  test('is replaced by the next one, and owners can see it like any other invitation', async () => {
    const { owner: elsewhere } = await server.createOrganization();
    const person = await join(elsewhere, 'member');
    const bank = await server.createOrganization('Bank');
    const create = () =>
      operator('create-user', person.email, '--organization', String(bank.id), '--role', 'owner');
    const [first, second] = [linkIn(await create())!, linkIn(await create())!];
    expect(await callError(person.api.call('acceptInvitation', { body: { token: first } }))).toMatchObject({
      status: 404,
    });
    // An owner can see and revoke the invitation like any other.
    expect((await bank.owner.call('listMembers', {})).invitations).toMatchObject([{ role: 'owner' }]);
    const { organization } = await person.api.call('acceptInvitation', { body: { token: second } });
    expect(organization).toMatchObject({ id: bank.id, role: 'owner' });
  });
});
