import { usageError } from '../cli-error.ts';
import { resourceByName } from './find-resource.ts';
import { type Resource, resources } from './resource-table.ts';

export type Verb = 'create' | 'update' | 'delete' | 'toggle';

export function namesThatCan(verb: Verb): string[] {
  return resources.filter((resource) => can(resource, verb)).map(({ name }) => name);
}

/**
 * Finds a resource that supports the verb.
 * @param typed The verb for the error message, if several commands share it.
 */
export function resourceThatCan(verb: Verb, name: string, typed: string = verb): Resource {
  const resource = resourceByName(name);
  if (can(resource, verb)) return resource;
  throw usageError(`${resource.name} doesn't support ${typed}. Available: ${namesThatCan(verb).join(', ')}.`);
}

function can(resource: Resource, verb: Verb): boolean {
  if (resource[verb] !== undefined) return true;
  // Jobs and freshness targets are enabled and disabled by an update.
  const { name } = resource;
  return verb === 'toggle' && (name.endsWith('-jobs') || name === 'freshness-targets');
}
