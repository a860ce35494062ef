import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import type { Role } from '../../src/platform/http/index.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { callError, createPeople, statusOf, trustedProxyEnvironment } from './people.ts';

const server = await startTestServer(trustedProxyEnvironment);
const { invite, join, keyWorks, newAddress, resetToken } = createPeople(server);

/** Creates an organization and a key with a role, as a thief would have it. */
async function withKey(role: Role) {
  const { owner } = await server.createOrganization();
  const { key, api_key } = await owner.call('createAPIKey', { body: { name: 'stolen', role } });
  return { owner, keyId: api_key.id, thief: createApiClient({ baseUrl: server.url, apiKey: key }) };
}

const loginRequired = { status: 401, code: 'login_required' };

describe.each<Role>(['admin', 'owner'])('a key with the role %s', (role) => {
  test('can’t invite members, whose access would outlive the key', async () => {
    const { owner, thief } = await withKey(role);
    expect(await callError(invite(thief, newAddress(), 'admin'))).toMatchObject(loginRequired);
    const { invitation } = await owner.call('inviteMember', {
      body: { email: newAddress(), role: 'viewer' },
    });
    const revoke = thief.call('deleteInvitation', { path: { id: invitation.id } });
    expect(await callError(revoke)).toMatchObject(loginRequired);
  });

  test('can’t update or remove members, or create reset links', async () => {
    const { owner, thief } = await withKey(role);
    const { memberId } = await join(owner, 'viewer');
    const path = { id: memberId };
    for (const attack of [
      () => thief.call('updateMember', { path, body: { role: 'admin' } }),
      () => thief.call('deleteMember', { path }),
      () => resetToken(thief, memberId),
      () => thief.call('createAPIKey', { body: { name: 'another' } }),
    ]) {
      expect(await callError(attack())).toMatchObject(loginRequired);
    }
  });

  test('can still read members', async () => {
    const { owner, thief } = await withKey(role);
    const { memberId } = await join(owner, 'viewer');
    expect((await thief.call('listMembers', {})).total).toBe(2);
    expect((await thief.call('listOrgMembersDropdown')).length).toBe(2);
    expect(await thief.call('previewMemberChange', { path: { id: memberId } })).toMatchObject({
      api_keys_total: 0,
    });
  });
});

describe('a disabled key', () => {
  test("can't be enabled by someone whose role couldn't create it", async () => {
    const { owner, thief } = await withKey('admin');
    const { key, api_key } = await owner.call('createAPIKey', { body: { name: 'Owner', role: 'owner' } });
    const path = { id: api_key.id };
    const { api: admin } = await join(owner, 'admin');
    await admin.call('toggleAPIKey', { path });
    for (const caller of [thief, admin])
      expect(await callError(caller.call('toggleAPIKey', { path }))).toMatchObject({ status: 403 });
    expect(await keyWorks(key)).toBe(false);
    await owner.call('toggleAPIKey', { path });
    expect(await keyWorks(key)).toBe(true);
  });

  test("can't enable keys, and a deactivated key can't be enabled", async () => {
    const { owner, thief, keyId } = await withKey('admin');
    await owner.call('toggleAPIKey', { path: { id: keyId } });
    expect(await statusOf(thief.call('toggleAPIKey', { path: { id: keyId } }))).toBe(401);
    await owner.call('deactivateAPIKey', { path: { id: keyId } });
    expect(await statusOf(owner.call('toggleAPIKey', { path: { id: keyId } }))).toBe(409);
  });
});
