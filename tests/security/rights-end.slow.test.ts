import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createPeople, type Person, statusOf, trustedProxyEnvironment } from './people.ts';

const server = await startTestServer(trustedProxyEnvironment);
const { db } = server;
const { newAddress, invite, join, keyWorks, logIn, resetToken, useInvitation, useResetToken } =
  createPeople(server);

/** Creates an organization with an owner, an admin, and a member. */
async function createTeam() {
  const { id, owner } = await server.createOrganization();
  const [admin, member] = [await join(owner, 'admin'), await join(owner, 'member')];
  const setRole = (person: Person, role: Role) =>
    owner.call('updateMember', { path: { id: person.memberId }, body: { role } });
  const remove = (person: Person) => owner.call('deleteMember', { path: { id: person.memberId } });
  return { organizationId: id, owner, admin, member, setRole, remove };
}

/** Inserts the membership directly, because every API operation has further effects. */
async function addMember(organizationId: number, userId: number): Promise<void> {
  await sql`
    INSERT INTO memberships (organization_id, user_id, role) VALUES (${organizationId}, ${userId}, 'viewer')`.execute(
    db,
  );
}

type Team = Awaited<ReturnType<typeof createTeam>>;

const stolen = 'the password of a thief';

test('a trust remains invalid after the person who saved it loses the administrator role, even if the person gets it back', async () => {
  const { admin, owner, setRole } = await createTeam();
  const { id } = await admin.api.call('createDeploymentTrust', {
    body: {
      name: 'Checkout',
      issuer: 'https://token.actions.githubusercontent.com',
      claims: { repository: 'acme/checkout' },
      services: ['checkout'],
      environments: ['production'],
    },
  });
  for (const role of ['member', 'admin'] as const) await setRole(admin, role);
  expect(await owner.call('getDeploymentTrust', { path: { id } })).toMatchObject({ status: 'orphaned' });
});

describe('a reset link', () => {
  test("doesn't outlive its issuer: a removed admin can't take over an owner's account", async () => {
    const { owner, admin, member, setRole, remove } = await createTeam();
    const token = await resetToken(admin.api, member.memberId);
    await setRole(member, 'owner');
    await remove(admin);
    expect(await useResetToken(token, stolen)).toBe(404);
    await logIn(member);
    expect((await owner.call('listMembers', {})).total).toBe(2);
  });

  test.each<[string, (team: Team) => Promise<unknown>]>([
    ['its issuer is removed', ({ admin, remove }) => remove(admin)],
    ['its issuer is demoted', ({ admin, setRole }) => setRole(admin, 'member')],
    ['the member is promoted', ({ member, setRole }) => setRole(member, 'admin')],
    ['the member is demoted', ({ member, setRole }) => setRole(member, 'viewer')],
    ['the member is removed', ({ member, remove }) => remove(member)],
    [
      'its issuer is removed and rejoins',
      async ({ owner, admin, remove }) => {
        await remove(admin);
        const token = await invite(owner, admin.email, 'admin');
        // A person without an organization can't log in.
        const other = await server.createOrganization();
        await addMember(other.id, admin.userId);
        const { api } = await logIn(admin);
        await api.call('acceptInvitation', { body: { token } });
        await sql`DELETE FROM memberships WHERE organization_id = ${other.id}`.execute(db);
      },
    ],
  ])('is invalid if %s', async (_name, change) => {
    const team = await createTeam();
    const token = await resetToken(team.admin.api, team.member.memberId);
    await change(team);
    expect(await useResetToken(token, stolen)).toBe(404);
    await expect(logIn({ ...team.member, password: stolen })).rejects.toMatchObject({ status: 401 });
  });

  test('from an owner is invalid after the owner becomes an admin', async () => {
    const { owner, member, setRole } = await createTeam();
    const second = await join(owner, 'owner');
    const token = await resetToken(second.api, member.memberId);
    await setRole(second, 'admin');
    expect(await useResetToken(token, stolen)).toBe(404);
  });

  test.each<[string, (team: Team) => Promise<unknown>]>([
    [
      'the issuer is no longer a member',
      ({ admin }) => sql`DELETE FROM memberships WHERE user_id = ${admin.userId}`.execute(db),
    ],
    [
      'the issuer is no longer an admin',
      ({ admin }) => sql`UPDATE memberships SET role = 'member' WHERE user_id = ${admin.userId}`.execute(db),
    ],
    [
      "the member's role is above the issuer's",
      ({ member }) => sql`UPDATE memberships SET role = 'owner' WHERE user_id = ${member.userId}`.execute(db),
    ],
    [
      'the member also belongs to another organization',
      async ({ member }) => addMember((await server.createOrganization()).id, member.userId),
    ],
    [
      'the member left the organization',
      ({ member }) => sql`DELETE FROM memberships WHERE user_id = ${member.userId}`.execute(db),
    ],
  ])('is checked again when it is used: %s', async (_name, change) => {
    const team = await createTeam();
    const token = await resetToken(team.admin.api, team.member.memberId);
    await change(team);
    expect(await useResetToken(token, stolen)).toBe(404);
  });

  test('works if its conditions haven’t changed', async () => {
    const { admin, member } = await createTeam();
    const token = await resetToken(admin.api, member.memberId);
    expect(await useResetToken(token, 'a new password')).toBe(204);
    await logIn({ ...member, password: 'a new password' });
  });
});

describe('an invitation', () => {
  test.each<[string, (team: Team) => Promise<unknown>]>([
    ['its issuer is removed', ({ admin, remove }) => remove(admin)],
    ['its issuer is demoted', ({ admin, setRole }) => setRole(admin, 'member')],
    [
      "its issuer's membership is deleted directly in the database",
      ({ admin }) => sql`DELETE FROM memberships WHERE user_id = ${admin.userId}`.execute(db),
    ],
    [
      'its issuer is demoted directly in the database',
      ({ admin }) => sql`UPDATE memberships SET role = 'viewer' WHERE user_id = ${admin.userId}`.execute(db),
    ],
    [
      'it has no issuer',
      ({ organizationId }) =>
        sql`UPDATE invitations SET invited_by_user_id = NULL WHERE organization_id = ${organizationId}`.execute(
          db,
        ),
    ],
  ])('is invalid and not listed if %s', async (_name, change) => {
    const team = await createTeam();
    const token = await invite(team.admin.api, newAddress(), 'admin');
    await change(team);
    expect(await useInvitation(token)).toBe(404);
    expect((await team.owner.call('listMembers', {})).invitations).toEqual([]);
  });
});

describe('an API key', () => {
  async function createKeys(creator: Person, roles: readonly (Role | KeyRole)[]) {
    const keys = [];
    for (const role of roles) {
      const { key, api_key } = await creator.api.call('createAPIKey', { body: { name: `As ${role}`, role } });
      keys.push({ key, id: api_key.id, role });
    }
    return keys;
  }

  test('is deactivated permanently and logged when its creator is removed', async () => {
    const { owner, admin, remove } = await createTeam();
    const keys = await createKeys(admin, ['admin', 'viewer', 'agent', 'reporter']);
    const kept = await owner.call('createAPIKey', { body: { name: 'Of the owner' } });
    await remove(admin);
    for (const { key, id } of keys) {
      expect(await keyWorks(key)).toBe(false);
      expect(await owner.call('getAPIKey', { path: { id } })).toMatchObject({ status: 'deactivated' });
      expect(await statusOf(owner.call('toggleAPIKey', { path: { id } }))).toBe(409);
    }
    expect(await keyWorks(kept.key)).toBe(true);
    const { items } = await owner.call('listAuditLog', { query: { resource: 'api_key', limit: 200 } });
    const ended = items.filter(({ action }) => action === 'api_key.deactivated');
    expect(ended.map(({ resource_id }) => resource_id).toSorted()).toEqual(
      keys.map(({ id }) => id).toSorted(),
    );
    expect(ended[0]).toMatchObject({ actor: { type: 'user' }, detail: { reason: 'creator_removed' } });
  });

  test.each<[Role, Role, (Role | KeyRole)[], (Role | KeyRole)[]]>([
    ['owner', 'admin', ['owner'], ['admin', 'viewer', 'agent']],
    ['owner', 'member', ['owner', 'admin', 'viewer', 'agent'], []],
    ['admin', 'member', ['admin', 'viewer', 'agent', 'reporter'], []],
    ['admin', 'viewer', ['admin', 'member'], []],
    ['admin', 'owner', [], ['admin', 'viewer']],
  ])(
    'of a person whose role changes from %s to %s is deactivated if its role is one of %j',
    async (before, after, ending, staying) => {
      const { owner, setRole } = await createTeam();
      const person = await join(owner, before);
      const keys = await createKeys(person, [...ending, ...staying]);
      await setRole(person, after);
      const working = [];
      for (const { key, role } of keys) if (await keyWorks(key)) working.push(role);
      expect(working).toEqual(staying);
      const { items } = await owner.call('listAPIKeys', { query: { status: 'deactivated' } });
      expect(items.map(({ role }) => role).toSorted()).toEqual(ending.toSorted());
    },
  );
});

describe('an API key that hasn’t been deactivated', () => {
  test.each<[string, (team: Team) => Promise<unknown>]>([
    [
      'is no longer a member',
      ({ admin }) => sql`DELETE FROM memberships WHERE user_id = ${admin.userId}`.execute(db),
    ],
    [
      'is no longer an admin',
      ({ admin }) => sql`UPDATE memberships SET role = 'member' WHERE user_id = ${admin.userId}`.execute(db),
    ],
  ])('stops working when its creator %s', async (_name, change) => {
    const team = await createTeam();
    const create = (person: Pick<Person, 'api'>, role: Role | KeyRole) =>
      person.api.call('createAPIKey', { body: { name: 'Pipeline', role } });
    const keys = await Promise.all((['viewer', 'agent'] as const).map((role) => create(team.admin, role)));
    const kept = await create({ api: team.owner }, 'viewer');
    for (const { key } of [...keys, kept]) expect(await keyWorks(key)).toBe(true);
    await change(team);
    for (const { key } of keys) expect(await keyWorks(key)).toBe(false);
    expect(await keyWorks(kept.key)).toBe(true);
  });

  test('with the owner role stops working when its creator becomes an admin', async () => {
    const { owner } = await createTeam();
    const second = await join(owner, 'owner');
    const [asOwner, asAdmin] = await Promise.all(
      (['owner', 'admin'] as const).map((role) =>
        second.api.call('createAPIKey', { body: { name: 'Pipeline', role } }),
      ),
    );
    await sql`UPDATE memberships SET role = 'admin' WHERE user_id = ${second.userId}`.execute(db);
    expect(await keyWorks(asOwner!.key)).toBe(false);
    expect(await keyWorks(asAdmin!.key)).toBe(true);
  });
});

describe('the preview of a member change', () => {
  test('shows the names and number of keys, and the number of invitations, that would be revoked', async () => {
    const { organizationId, owner, admin, setRole } = await createTeam();
    const create = (name: string, role: Role) => admin.api.call('createAPIKey', { body: { name, role } });
    await create('Pipeline', 'viewer');
    const { api_key: paused } = await create('Paused', 'admin');
    await owner.call('toggleAPIKey', { path: { id: paused.id } });
    const { api_key: ended } = await create('Ended', 'admin');
    await owner.call('deactivateAPIKey', { path: { id: ended.id } });
    await invite(admin.api, newAddress(), 'viewer');
    const preview = (role?: Role) =>
      owner.call('previewMemberChange', { path: { id: admin.memberId }, query: role ? { role } : {} });
    const all = {
      api_keys: [{ name: 'Paused' }, { name: 'Pipeline' }],
      api_keys_total: 2,
      invitations_total: 1,
    };
    const none = { api_keys: [], api_keys_total: 0, invitations_total: 0 };
    expect(await preview()).toMatchObject(all);
    expect(await preview('member')).toMatchObject(all);
    expect(await preview('admin')).toEqual(none);
    expect(await preview('owner')).toEqual(none);
    for (let count = 0; count < 25; count++) await create(`Spare ${count}`, 'viewer');
    const many = await preview();
    expect(many).toMatchObject({ api_keys_total: 27 });
    expect(many.api_keys).toHaveLength(20);
    await setRole(admin, 'viewer');
    expect(await preview()).toEqual(none);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM api_keys
      WHERE organization_id = ${organizationId} AND deactivated_at IS NOT NULL`.execute(db);
    expect(rows[0]!.count).toBe(28);
  });
});

describe('during the removal of a member', () => {
  /**
   * Runs a request that is authenticated before the removal of a member and then waits for the lock of the
   * removal.
   */
  async function behindRemoval<T>(team: Team, work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
    const waiting = async (count: number) =>
      expect
        .poll(
          async () => {
            const { rows } = await sql<{ count: number }>`
              SELECT count(*)::integer AS count FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
            return rows[0]!.count;
          },
          { timeout: 60_000 },
        )
        .toBe(count);
    const { removal, answer } = await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM organizations WHERE id = ${team.organizationId} FOR UPDATE`.execute(tx);
      const removal = team.remove(team.admin);
      await waiting(1);
      const answer = Promise.allSettled([work()]);
      await waiting(2);
      return { removal, answer };
    });
    await removal;
    return (await answer)[0];
  }

  const unauthenticated = { status: 'rejected', reason: { status: 401, code: 'unauthenticated' } };

  test("the member can't create a key", async () => {
    const team = await createTeam();
    const create = () => team.admin.api.call('createAPIKey', { body: { name: 'Back door' } });
    expect(await behindRemoval(team, create)).toMatchObject(unauthenticated);
    const { items } = await team.owner.call('listAPIKeys', {});
    expect(items.map(({ name }) => name)).not.toContain('Back door');
  });

  test("the member can't invite anyone", async () => {
    const team = await createTeam();
    expect(await behindRemoval(team, () => invite(team.admin.api, newAddress(), 'admin'))).toMatchObject(
      unauthenticated,
    );
    expect((await team.owner.call('listMembers', {})).invitations).toEqual([]);
  });

  test("the member can't create a reset link, or promote or remove other members", async () => {
    const attacks = [
      ({ admin, member }: Team) => resetToken(admin.api, member.memberId),
      ({ admin, member }: Team) =>
        admin.api.call('updateMember', { path: { id: member.memberId }, body: { role: 'admin' } }),
      ({ admin, member }: Team) => admin.api.call('deleteMember', { path: { id: member.memberId } }),
    ];
    for (const attack of attacks) {
      const team = await createTeam();
      expect(await behindRemoval<unknown>(team, () => attack(team))).toMatchObject(unauthenticated);
      const { items } = await team.owner.call('listMembers', {});
      expect(items.find(({ id }) => id === team.member.memberId)).toMatchObject({ role: 'member' });
    }
  });

  test("an invitation from the member can't be accepted", async () => {
    const team = await createTeam();
    const token = await invite(team.admin.api, newAddress(), 'admin');
    expect(await behindRemoval(team, () => useInvitation(token))).toMatchObject({ value: 404 });
    expect((await team.owner.call('listMembers', {})).total).toBe(2);
  });

  test("a reset link from the member can't be used", async () => {
    const team = await createTeam();
    const token = await resetToken(team.admin.api, team.member.memberId);
    expect(await behindRemoval(team, () => useResetToken(token, stolen))).toMatchObject({ value: 404 });
    await logIn(team.member);
  });
});
