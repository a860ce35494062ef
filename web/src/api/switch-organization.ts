import { basePath } from './page-location.ts';
import { queryClient } from './query-client.ts';
import { api } from './session.ts';

/**
 * Loads a page, so that no data of the previous organization or session stays visible. Never resolves, because the
 * current page has no data from here on, so its components must not render again.
 */
export function loadPage(path: string): Promise<never> {
  queryClient.clear();
  location.assign(path);
  return new Promise(() => {});
}

/** Continues the session in another organization of the user, at its first page. */
export async function switchOrganization(id: number): Promise<never> {
  await api.call('switchOrganization', { body: { organization_id: id } });
  return loadPage(`${basePath}/`);
}
