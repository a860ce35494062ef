import { usageError } from '../cli-error.ts';
import { resourceByName } from './find-resource.ts';
import { type Resource, resources } from './resource-table.ts';

export type Verb = 'create' | 'update' | 'delete' | 'toggle';

export function resourceNamesSupporting(verb: Verb): string[] {
  return resources.filter((resource) => can(resource, verb)).map(({ name }) => name);
}

/**
 * Finds a resource that supports the verb.
 * @param typed Name of the command that the user typed, for the error message. It differs from `verb` if
 * several commands share one verb.
 */
export function resourceSupporting(verb: Verb, name: string, typed: string = verb): Resource {
  const resource = resourceByName(name);
  if (can(resource, verb)) return resource;
  throw usageError(
    `${resource.name} doesn't support ${typed}. Available: ${resourceNamesSupporting(verb).join(', ')}.`,
  );
}

function can(resource: Resource, verb: Verb): boolean {
  if (resource[verb] !== undefined) return true;
  // Jobs, freshness targets, and trusts have no toggle operation, but an update can enable or disable them.
  const { name } = resource;
  return (
    verb === 'toggle' &&
    (name.endsWith('-jobs') || name === 'freshness-targets' || name === 'deployment-trusts')
  );
}
