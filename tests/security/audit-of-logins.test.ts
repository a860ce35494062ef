import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

test('the audit log records password changes and ended sessions', async () => {
  const { owner, api, email, password } = await server.createOrganization();
  const login = () => server.anonymous.call('login', { body: { email, password } });
  const actions = async () => (await api.call('listAuditLog')).items.map(({ action }) => action);
  await login();
  const { items } = await owner.call('listSessions');
  const other = items.find(({ is_current }) => !is_current)!;
  await owner.call('endSession', { path: { id: other.id } });
  expect(await actions()).toContain('member.session_ended');
  await login();
  await owner.call('endOtherSessions');
  expect((await api.call('listAuditLog')).items).toContainEqual(
    expect.objectContaining({ action: 'member.other_sessions_ended', detail: { count: 1 } }),
  );
  await owner.call('changePassword', {
    body: { current_password: password, new_password: `${password} and more` },
  });
  expect(await actions()).toContain('member.password_changed');
});

test('the retention of the audit log is at least 30 days, and changes of this setting are recorded', async () => {
  const { api, owner } = await server.createOrganization();
  const path = { key: 'retention.audit_log_days' };
  for (const client of [api, owner]) {
    await expect(client.call('putOrgOverride', { path, body: { value: 29 } })).rejects.toMatchObject({
      status: 400,
    });
    await client.call('putOrgOverride', { path, body: { value: 30 } });
    await client.call('deleteOrgOverride', { path });
  }
  const changes = (await api.call('listAuditLog')).items.filter(({ resource }) => resource === 'setting');
  expect(changes).toHaveLength(4);
});
