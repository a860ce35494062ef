import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { insertAlerts } from '../../server/server-fixture.ts';
import { createUser } from '../accounts/index.ts';

const server = await sharedTestServer();

async function world(count: number) {
  const acme = await server.createOrganization();
  const { alertIds } = await insertAlerts(server.db, acme.id, { count });
  return { acme, alertIds };
}

/** Returns the actions and details of an alert's activity, oldest first. */
async function trail({ api }: TestOrganization, id: number) {
  const { items } = await api.call('listAlertActions', { path: { id }, query: { limit: 50 } });
  return items
    .filter(({ action }) => action !== 'notification_skipped')
    .toReversed()
    .map(({ action, from, to, detail }) => ({ action, from, to, detail }));
}

async function addMember(organizationId: number, name: string): Promise<number> {
  const email = `${name.toLowerCase()}-${organizationId}@example.org`;
  await createUser(server.db, {
    organizationId,
    role: 'member',
    user: { email, password: 'a long password' },
  });
  await sql`UPDATE users SET name = ${name} WHERE email = ${email}`.execute(server.db);
  const { rows } = await sql<{ id: number }>`
    SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND u.email = ${email}`.execute(server.db);
  return rows[0]!.id;
}

test('comments appear in the activity of open and resolved alerts', async () => {
  const { acme, alertIds } = await world(1);
  const path = { id: alertIds[0]! };
  await acme.api.call('commentOnAlert', { path, body: { comment: '  Planned for Thursday.\nWith Ada. ' } });
  await acme.api.call('acknowledgeAlert', { path, body: { comment: 'On it.' } });
  // Nothing changes, so nothing is recorded.
  await acme.api.call('acknowledgeAlert', { path, body: { comment: 'Again.' } });
  await acme.api.call('resolveAlert', { path });
  await acme.api.call('commentOnAlert', { path, body: { comment: 'Done.' } });
  expect(await trail(acme, path.id)).toMatchObject([
    { action: 'commented', detail: 'Planned for Thursday.\nWith Ada.' },
    { action: 'acknowledged', detail: null },
    { action: 'commented', detail: 'On it.' },
    { action: 'resolved' },
    { action: 'commented', detail: 'Done.' },
  ]);
  for (const comment of ['', '   ', 'x'.repeat(4_001)])
    await expect(acme.api.call('commentOnAlert', { path, body: { comment } })).rejects.toMatchObject({
      status: 400,
    });
});

test('an alert can be acknowledged without a request body', async () => {
  const { acme, alertIds } = await world(1);
  const url = `${server.url}/api/v1/client/alerts/${alertIds[0]}/acknowledge`;
  const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': acme.apiKey } });
  expect(await response.json()).toMatchObject({ status: 'acknowledged' });
});

test('an open alert can be assigned to a member of the organization, and loses its assignee when the membership ends', async () => {
  const { acme, alertIds } = await world(2);
  const path = { id: alertIds[0]! };
  const [dana, nora] = [await addMember(acme.id, 'Dana'), await addMember(acme.id, 'Nora')];
  const assign = (member_id: number | null) => acme.api.call('assignAlert', { path, body: { member_id } });
  expect(await assign(dana)).toMatchObject({ assignee: { id: dana, name: 'Dana' } });
  await assign(dana);
  expect(await assign(nora)).toMatchObject({ assignee: { id: nora, name: 'Nora' } });
  const { items } = await acme.api.call('listAlerts', { query: { assignee_id: nora } });
  expect(items.map(({ id }) => id)).toEqual([path.id]);
  expect((await acme.api.call('listAlerts', { query: { assignee_id: dana } })).total).toBe(0);
  const elsewhere = await addMember((await server.createOrganization()).id, 'Eve');
  await expect(assign(elsewhere)).rejects.toMatchObject({ status: 400, errors: [{ field: 'member_id' }] });
  await server.db.deleteFrom('memberships').where('id', '=', nora).execute();
  expect(await acme.api.call('getAlert', { path })).toMatchObject({ assignee: null });
  await assign(dana);
  expect(await assign(null)).toMatchObject({ assignee: null });
  expect(await trail(acme, path.id)).toEqual([
    { action: 'assigned', from: null, to: 'Dana', detail: null },
    { action: 'assigned', from: 'Dana', to: 'Nora', detail: null },
    { action: 'assigned', from: null, to: 'Dana', detail: null },
    { action: 'assigned', from: 'Dana', to: null, detail: null },
  ]);
  await acme.api.call('resolveAlert', { path });
  await expect(assign(dana)).rejects.toMatchObject({ status: 409 });
});

test('a dry run returns the result of the action and changes nothing', async () => {
  const { acme, alertIds } = await world(4);
  const [first, second, third, fourth] = alertIds as [number, number, number, number];
  await acme.api.call('acknowledgeAlert', { path: { id: second } });
  await acme.api.call('resolveAlert', { path: { id: third } });
  const never = 9_000_000_000_007;
  const body = {
    alert_ids: [first, second, third, never, fourth, first],
    action: 'acknowledge' as const,
    comment: 'Known.',
  };
  const outcome = { changed: [first, fourth], unchanged: [second], not_found: [third, never] };
  expect(await acme.api.call('changeAlerts', { body: { ...body, dry_run: true } })).toEqual(outcome);
  expect(await trail(acme, first)).toEqual([]);
  expect(await acme.api.call('changeAlerts', { body: { ...body, dry_run: false } })).toEqual(outcome);
  expect(await trail(acme, first)).toMatchObject([
    { action: 'acknowledged' },
    { action: 'commented', detail: 'Known.' },
  ]);
  expect(await trail(acme, second)).toMatchObject([{ action: 'acknowledged' }]);
});

test('each bulk action changes open alerts, and a second bulk action reverses it if the action has an opposite', async () => {
  const { acme, alertIds } = await world(2);
  const dana = await addMember(acme.id, 'Dana');
  const change = (body: object) =>
    acme.api.call('changeAlerts', {
      body: { alert_ids: alertIds, dry_run: false, action: 'acknowledge', ...body },
    });
  const all = { changed: alertIds, unchanged: [], not_found: [] };
  const state = async () => (await acme.api.call('listAlerts', { query: { sort: 'created_at' } })).items[0];

  const until = new Date(Date.now() + 86_400_000).toISOString();
  expect(await change({ action: 'snooze', until, until_version_changes: true })).toEqual(all);
  expect(await state()).toMatchObject({ snoozed_until: until, snoozed_until_version_changes: true });
  expect(await change({ action: 'unsnooze' })).toEqual(all);
  expect(await state()).toMatchObject({ snoozed_until: null, snoozed_until_version_changes: false });
  expect(await change({ action: 'assign', member_id: dana })).toEqual(all);
  expect(await state()).toMatchObject({ assignee: { name: 'Dana' } });
  expect(await change({})).toEqual(all);
  expect(await change({ action: 'unacknowledge' })).toEqual(all);
  expect(await state()).toMatchObject({ status: 'unacknowledged' });
  expect(await change({ action: 'comment', comment: 'Soon.' })).toEqual(all);
  expect(await change({ action: 'resolve', comment: 'Not ours.' })).toEqual(all);
  expect(await change({ action: 'comment', comment: 'Late.' })).toEqual(all);
  expect(await change({})).toEqual({ changed: [], unchanged: [], not_found: alertIds });

  for (const [action, field] of [
    ['comment', 'comment'],
    ['assign', 'member_id'],
  ])
    await expect(change({ action })).rejects.toMatchObject({ status: 400, errors: [{ field }] });
});
