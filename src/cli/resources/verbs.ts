import { usageError } from '../cli-error.ts';
import { resourceByName } from './find-resource.ts';
import { type Resource, resources } from './resource-table.ts';

export type Verb = 'create' | 'update' | 'delete' | 'toggle';

export function namesThatCan(verb: Verb): string[] {
  return resources.filter((resource) => can(resource, verb)).map(({ name }) => name);
}

/** @param typed how the verb is named on the command line, where several share the ability */
export function resourceThatCan(verb: Verb, name: string, typed: string = verb): Resource {
  const resource = resourceByName(name);
  if (can(resource, verb)) return resource;
  throw usageError(`${resource.name} doesn't support ${typed}. Available: ${namesThatCan(verb).join(', ')}.`);
}

function can(resource: Resource, verb: Verb): boolean {
  if (resource[verb] !== undefined) return true;
  // These are enabled and disabled by an update.
  const { name } = resource;
  return verb === 'toggle' && (name.endsWith('-jobs') || name === 'freshness-targets');
}
