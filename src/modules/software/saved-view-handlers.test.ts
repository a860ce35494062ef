import { describe, expect, test } from 'vitest';
import { sharedTestServer } from '../../../tests/helpers/test-server.ts';
import { createApiClient } from '../../client/api-client.ts';
import { createUser } from '../accounts/index.ts';

const server = await sharedTestServer();

async function logInAs(organizationId: number, role: 'viewer' | 'member') {
  const user = {
    email: `${role}-${organizationId}-${Math.trunc(Math.random() * 1e9)}@example.org`,
    password: 'a long password',
  };
  await createUser(server.db, { organizationId, role, user });
  const { access_token } = await server.anonymous.call('login', { body: user });
  return createApiClient({ baseUrl: server.url, token: access_token });
}

const view = {
  page: 'software',
  name: 'Payments',
  search: { label: 'team=payments', sort: 'worst' },
} as const;
const query = { page: 'software' } as const;

describe('a saved view', () => {
  test('is visible to the person who saved it, or to everyone in the organization if it is shared', async () => {
    const acme = await server.createOrganization();
    const [vera, mia] = [await logInAs(acme.id, 'viewer'), await logInAs(acme.id, 'member')];
    const own = await vera.call('createSavedView', { body: view });
    const shared = await mia.call('createSavedView', { body: { ...view, is_shared: true } });
    expect(own).toMatchObject({ ...view, is_shared: false });
    expect((await vera.call('listSavedViews', { query })).items).toEqual([shared, own]);
    expect((await mia.call('listSavedViews', { query })).items).toEqual([shared]);
    expect((await mia.call('listSavedViews', { query: { page: 'alerts' } })).items).toEqual([]);
    const elsewhere = await logInAs((await server.createOrganization()).id, 'member');
    expect((await elsewhere.call('listSavedViews', { query })).items).toEqual([]);
    for (const id of [own.id, shared.id])
      await expect(elsewhere.call('deleteSavedView', { path: { id } })).rejects.toMatchObject({
        status: 404,
      });
    await expect(mia.call('deleteSavedView', { path: { id: own.id } })).rejects.toMatchObject({
      status: 404,
    });
    await vera.call('deleteSavedView', { path: { id: own.id } });
    expect((await vera.call('listSavedViews', { query })).items).toEqual([shared]);
  });

  test('can be shared, and deleted for everyone, only by members', async () => {
    const acme = await server.createOrganization();
    const [vera, mia] = [await logInAs(acme.id, 'viewer'), await logInAs(acme.id, 'member')];
    const body = { ...view, is_shared: true };
    await expect(vera.call('createSavedView', { body })).rejects.toMatchObject({ status: 403 });
    const { id } = await mia.call('createSavedView', { body });
    await expect(vera.call('deleteSavedView', { path: { id } })).rejects.toMatchObject({ status: 403 });
    await mia.call('deleteSavedView', { path: { id } });
    expect((await mia.call('listSavedViews', { query })).items).toEqual([]);
  });

  test('has a name that is unique regardless of case, and each person can have at most a hundred views', async () => {
    const acme = await server.createOrganization();
    const mia = await logInAs(acme.id, 'member');
    await mia.call('createSavedView', { body: view });
    const twice = mia.call('createSavedView', { body: { ...view, name: 'payments' } });
    await expect(twice).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('already exists'),
    });
    await mia.call('createSavedView', { body: { ...view, page: 'alerts' } });
    for (let count = 2; count < 100; count++)
      await mia.call('createSavedView', { body: { ...view, name: `View ${count}` } });
    const more = mia.call('createSavedView', { body: { ...view, name: 'One more' } });
    await expect(more).rejects.toMatchObject({ status: 409, message: expect.stringContaining('100 views') });
    await mia.call('createSavedView', { body: { ...view, name: 'One more', is_shared: true } });
  });

  test('is deleted with the membership of the person', async () => {
    const acme = await server.createOrganization();
    const mia = await logInAs(acme.id, 'member');
    await mia.call('createSavedView', { body: view });
    await server.db
      .deleteFrom('memberships')
      .where('organization_id', '=', acme.id)
      .where('role', '=', 'member')
      .execute();
    const left = server.db.selectFrom('saved_views').select('id').where('organization_id', '=', acme.id);
    expect(await left.execute()).toEqual([]);
  });
});
