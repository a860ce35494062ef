import type { Item } from '../json/json-item.ts';
import { scrapeJobOf } from '../source-types/deployed-versions-source-type.ts';
import { pluralOf } from '../text/plural.ts';
import { artifactField, kinds, type ResourceKind, referenceSettings, type Section } from './kinds.ts';
import { isCreatedByDiscovery, isManagedByJob } from './plan-resources.ts';
import { addProblem, type PlanDraft, type Step } from './plan-steps.ts';

/**
 * Plans the deletion of resources that aren't in the file, in the sections that the file includes. A resource
 * is deleted before the resources that it refers to. A resource that is still in use is reported as a
 * problem, because deleting it would also delete the resources that use it.
 */
export function planDeletions(draft: PlanDraft): Step[] {
  const findUser = createUserSearch(draft);
  return kinds.toReversed().flatMap((kind) => {
    if (!draft.desired.entries[kind.section]) return [];
    const missing = draft.state.own[kind.section].filter(
      (item) => !draft.kept.has(item) && !isManagedByJob(kind, item),
    );
    const gone = missing.filter((item) => !isCreatedByDiscovery(item));
    noteManaged(draft, kind, missing.length - gone.length);
    return gone.map((item): Step => {
      const name = String(item['name']);
      const user = findUser(kind, item);
      if (user !== null)
        addProblem(
          draft,
          { section: kind.section, index: null },
          `${kind.word} "${name}" isn't in the file and would be deleted, but ${user}.`,
        );
      return { action: 'delete', kind, id: Number(item['id']), name };
    });
  });
}

/** Notes that resources of discovery jobs stay, although the file doesn't contain them. */
function noteManaged(draft: PlanDraft, { section, word }: ResourceKind, count: number): void {
  if (count === 0) return;
  const resources = count === 1 ? `1 ${word}` : `${count} ${pluralOf(word)}`;
  const message = `${resources} that discovery jobs manage aren't in the file and stay.`;
  draft.notes.push({
    section,
    index: null,
    message: count === 1 ? message.replace("aren't", "isn't").replace('stay.', 'stays.') : message,
  });
}

/**
 * Returns a function that describes why a resource can't be deleted. The function returns `null` if nothing
 * uses the resource.
 */
function createUserSearch({
  desired,
  state,
  referred,
  kept,
}: PlanDraft): (kind: ResourceKind, item: Item) => string | null {
  const users = new Map<string, string>();
  const keyOf = (section: Section, id: unknown) => `${section}/${String(id)}`;
  for (const other of kinds) {
    // If the file includes the section, `referred` already contains the references of its entries. Check only
    // the section's other resources that aren't deleted.
    const isInFile = Boolean(desired.entries[other.section]);
    const remaining = isInFile
      ? state.own[other.section].filter((user) => isCreatedByDiscovery(user) && !kept.has(user))
      : state.own[other.section];
    const reason = isInFile ? 'a discovery job manages it' : `the file has no ${other.section}`;
    const addUser = (user: Item, key: string) => {
      if (!users.has(key)) users.set(key, `${other.word} "${String(user['name'])}" uses it, and ${reason}`);
    };
    if (other.section === 'gather_jobs') {
      for (const user of remaining) {
        const followed = scrapeJobOf(String(user[artifactField]));
        if (followed !== null) addUser(user, keyOf('scrape_jobs', followed));
      }
    }
    for (const [member, { section }] of Object.entries(other.references)) {
      for (const user of remaining) {
        for (const id of [user[member]].flat()) {
          addUser(user, keyOf(section, id));
        }
      }
    }
  }
  const defaults = desired.settings ? [] : referenceSettings;
  return ({ section }, { id }) => {
    const key = keyOf(section, id);
    if (referred.has(key)) return 'the file references it';
    const user = users.get(key);
    if (user !== undefined) return user;
    const setting = defaults.find((each) => each.section === section && state.settings.get(each.key) === id);
    return setting ? `it is the default ${setting.word}, and the file has no settings` : null;
  };
}
