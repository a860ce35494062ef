import { basePath } from './page-location.ts';
import { queryClient } from './query-client.ts';
import { api } from './session.ts';

/** Loads a page, so that no data of the previous organization or session stays visible. */
export function loadPage(path: string): void {
  queryClient.clear();
  location.assign(path);
}

/** Continues the session in another organization of the user, at its first page. */
export async function switchOrganization(id: number): Promise<void> {
  await api.call('switchOrganization', { body: { organization_id: id } });
  loadPage(`${basePath}/`);
}
