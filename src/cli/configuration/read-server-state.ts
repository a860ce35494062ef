import type { ApiClient } from '../../client/api-client.ts';
import { type Item, listItems } from '../call-operation.ts';
import { kinds, type Section, templateSettings } from './kinds.ts';

/** The configuration of an organization as the server has it. */
export interface ServerState {
  /** Own things by ascending id, which is the order in which they were made. */
  own: Record<Section, Item[]>;
  /** Jobs that the operator offers to all. */
  global: Record<Section, Item[]>;
  /** Values that the organization has overridden; templates stand in `templates`. */
  settings: Map<string, unknown>;
  /** Every key that there is. */
  settingKeys: string[];
  templates: Map<string, string>;
}

export async function readServerState(api: ApiClient): Promise<ServerState> {
  const own = {} as ServerState['own'];
  const global = {} as ServerState['global'];
  for (const { section, list } of kinds) {
    const { items } = await listItems(api, list, { all: true, hasPages: true });
    items.sort((a, b) => Number(a['id']) - Number(b['id']));
    own[section] = items.filter(({ scope }) => scope !== 'global');
    global[section] = items.filter(({ scope }) => scope === 'global');
  }
  const overrides = await api.call('listOrgOverrides');
  const all = await api.call('listSettings');
  const categoryOf = new Map(Object.entries(templateSettings).map(([category, key]) => [key, category]));
  const settings = new Map<string, unknown>();
  const templates = new Map<string, string>();
  for (const { key, value } of overrides.items) {
    const category = categoryOf.get(key);
    if (category === undefined) settings.set(key, value);
    else templates.set(category, String(value));
  }
  return { own, global, settings, settingKeys: all.items.map(({ key }) => key), templates };
}

/** The chart that a gather job follows which a helm sync job feeds. */
export function chartOf(gatherJob: Item): string {
  return String(gatherJob['artifact_name']).split('/').at(-1) ?? '';
}
