import type { Item } from '../call-operation.ts';
import { defaultChannelSetting, type Kind, kinds } from './kinds.ts';
import type { Draft, Step } from './plan-steps.ts';
import { isFed } from './plan-things.ts';

/**
 * What the server has and the file has not, in the sections that the file has; those first that refer to others. What
 * something else still needs is a problem: deleting it would take that along.
 */
export function planDeletions(draft: Draft): Step[] {
  return kinds.toReversed().flatMap((kind) => {
    if (!draft.wanted.entries[kind.section]) return [];
    const gone = draft.state.own[kind.section].filter((item) => !draft.kept.has(item) && !isFed(kind, item));
    return gone.map((item): Step => {
      const name = String(item['name']);
      const user = findUser(draft, kind, item);
      if (user !== null)
        draft.problems.push(`${kind.word} "${name}" isn't in the file and would be deleted, but ${user}.`);
      return { action: 'delete', kind, id: Number(item['id']), name };
    });
  });
}

function findUser({ wanted, state, referred }: Draft, { section }: Kind, item: Item): string | null {
  if (referred.some((each) => each.section === section && each.id === item['id']))
    return 'the file references it';
  for (const other of kinds) {
    // What the file has of a kind will refer to what the file says.
    if (wanted.entries[other.section]) continue;
    for (const [member, reference] of Object.entries(other.references)) {
      if (reference.section !== section) continue;
      const user = state.own[other.section].find((each) => [each[member]].flat().includes(item['id']));
      if (user)
        return `${other.word} "${String(user['name'])}" uses it, and the file has no ${other.section}`;
    }
  }
  const isDefault =
    section === 'notification_channels' && state.settings.get(defaultChannelSetting) === item['id'];
  return isDefault && !wanted.settings ? 'it is the default channel, and the file has no settings' : null;
}
