import type { Fact, LinkProblem } from './fact.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/** Maximum length of a chain of services that extend each other. Real files have one or two. */
const maxDepth = 20;

/**
 * Assigns the image of an extended service to the services that extend it from another file.
 *
 * @returns The facts of services that are built. Their image has no version.
 */
export function linkExtendedServices(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
): ReadonlySet<LinkedFact> {
  const built = new Set<LinkedFact>();
  const extending = facts.filter(({ origin }) => origin.type === 'compose_service');
  if (extending.length === 0) return built;
  const images = new Map<string, Fact>();
  const complete = new Set<string>();
  for (const { path, facts: own, links } of files) {
    for (const fact of own) if (fact.extractor === 'compose') images.set(`${path} ${fact.place.name}`, fact);
    for (const link of links) {
      if (link.type !== 'compose_services') continue;
      for (const fact of link.images) images.set(`${path} ${fact.place.name}`, fact);
      for (const service of link.complete) complete.add(`${path} ${service}`);
    }
  }
  for (const fact of extending) {
    const found = follow(fact, fact.file);
    if (found === 'built') built.add(fact);
    else if (found) Object.assign(fact, found);
  }
  return built;

  function follow(start: Fact, file: string): Partial<Fact> | 'built' {
    let [fact, path] = [start, file];
    for (let depth = 0; fact.origin.type === 'compose_service'; depth++) {
      const { file: relative, service } = fact.origin;
      const other = resolvePath(directoryOf(path), relative);
      const key = `${other} ${service}`;
      const target = depth < maxDepth ? images.get(key) : undefined;
      if (!images.has(key) && complete.has(key)) return 'built';
      if (!target || other === null) {
        const note = `extends ${service} in ${relative}, which wasn't found`;
        return { origin: { type: 'unknown' }, reason: 'not_scanned', note: note.slice(0, 300) };
      }
      [fact, path] = [target, other];
    }
    const { artifact, origin, version, state, digest, reason, written, note } = fact;
    const source = `image of ${fact.place.name} in ${path}`;
    return {
      artifact,
      origin,
      version,
      state,
      digest,
      reason,
      note: note ?? source,
      ...(written !== undefined && { written }),
    };
  }
}

/**
 * Returns the images of stacks, which are Compose files with any name. A file whose services are extended by
 * another file isn't deployed itself.
 */
export function imagesOfStacks(files: readonly ScannedFile[]): { path: string; fact: Fact }[] {
  const links = files.flatMap(({ path, facts, links: own }) =>
    own.flatMap((link) => (link.type === 'compose_services' ? [{ path, facts, ...link }] : [])),
  );
  if (!links.some(({ isStack }) => isStack)) return [];
  const extended = new Set(
    links.flatMap(({ path, facts, images }) =>
      [...facts, ...images].flatMap(({ origin }) =>
        origin.type === 'compose_service' ? [resolvePath(directoryOf(path), origin.file)] : [],
      ),
    ),
  );
  return links
    .filter(({ path, isStack }) => isStack && !extended.has(path))
    .flatMap(({ path, images }) => images.map((fact) => ({ path, fact })));
}

/**
 * Finds services without an image or a build. Skips a service that is complete in another Compose file,
 * because the files are meant to be merged, as with `docker compose -f compose.yaml -f compose.prod.yaml`.
 */
export function findIncompleteServices(files: readonly ScannedFile[]): LinkProblem[] {
  const links = files.flatMap(({ path, links: own }) =>
    own.flatMap((link) => (link.type === 'compose_services' ? [{ path, ...link }] : [])),
  );
  const complete = new Set(links.flatMap((link) => link.complete));
  return links.flatMap(({ path, incomplete }) =>
    incomplete
      .filter(([service]) => !complete.has(service))
      .map(([service, line]): LinkProblem => {
        const message = `The service ${service.slice(0, 100)} has no image and no build.`;
        return { file: path, line, reason: 'malformed', message };
      }),
  );
}
