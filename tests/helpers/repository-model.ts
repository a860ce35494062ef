import { discoverFiles } from './discover-files.ts';

/** A deployed image in the model. Its `uid` is its true identity. */
export interface ModelEntry {
  uid: number;
  image: string;
  version: string;
  namespace: string | null;
  /** Name of the object or the value. Entries of lists have no name. */
  name: string;
}
interface ModelFile {
  /** Form of the file: one manifest per entry, one named value per entry, or a list of entries without names. */
  kind: 'manifests' | 'values' | 'list';
  entries: ModelEntry[];
  isBroken: boolean;
}
/** A discovered item and its true identity. */
export interface TruthItem {
  uid: number;
  item: ReturnType<typeof discoverFiles>['items'][number];
  blob: string;
}
export interface ModelScan {
  items: TruthItem[];
  unread: ReadonlySet<string>;
  /** Identities that exist, including those in files that can't be read. */
  present: ReadonlySet<number>;
  log: readonly string[];
}

/**
 * Creates a model of a repository that changes at random and tracks the identity of each item. All changes in
 * a commit are unambiguous.
 */
export function createRepositoryModel(random: () => number) {
  const files = new Map<string, ModelFile>();
  /**
   * Ended entries, by place and image. If the same image reappears at the same place, the new entry is the
   * same item. The place of an entry in a list is its index at the time when it ended, because entries have
   * no names.
   */
  const ended = new Map<string, ModelEntry[]>();
  let nextUid = 1;
  let nextName = 1;
  let log: string[] = [];
  let touched = new Set<string>();
  let busyImages = new Set<string>();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;
  const images = Array.from({ length: 6 }, (_, at) => `ghcr.io/acme/app${at}`);
  const version = () =>
    `${1 + Math.floor(random() * 9)}.${Math.floor(random() * 99)}.${Math.floor(random() * 99)}`;
  const placeOf = (path: string, file: ModelFile, entry: ModelEntry) =>
    JSON.stringify([
      path,
      file.kind,
      entry.namespace,
      file.kind === 'list' ? file.entries.indexOf(entry) : entry.name,
      entry.image,
    ]);
  const freePath = (kind: ModelFile['kind']) =>
    `${pick(['apps', 'infra', 'teams'])}/d${nextName}/${kind === 'manifests' ? 'app' : 'values'}${nextName++}.yaml`;
  const freeImage = () => {
    const free = images.filter((image) => !busyImages.has(image));
    return free.length > 0 ? pick(free) : `ghcr.io/acme/new${nextName++}`;
  };

  function entry(image = freeImage()): ModelEntry {
    busyImages.add(image);
    return { uid: nextUid++, image, version: version(), namespace: null, name: `n${nextName++}` };
  }

  function end(path: string, file: ModelFile, each: ModelEntry) {
    const place = placeOf(path, file, each);
    ended.set(place, [...(ended.get(place) ?? []), { ...each }]);
    busyImages.add(each.image);
  }

  /**
   * If an entry with the same image ended at this place, gives its identity to the new entry. If several did, the
   * entry with the same version is the one that returns.
   */
  function revive(path: string, file: ModelFile, each: ModelEntry) {
    const place = placeOf(path, file, each);
    const here = ended.get(place) ?? [];
    const ofVersion = here.filter((other) => other.version === each.version);
    const [former, ...others] = ofVersion.length > 0 ? ofVersion : here;
    if (former === undefined || others.length > 0) return;
    each.uid = former.uid;
    ended.set(
      place,
      here.filter((other) => other !== former),
    );
  }

  function addFile() {
    const kind = pick(['manifests', 'values', 'list'] as const);
    const entries = Array.from({ length: 1 + Math.floor(random() * 3) }, () => entry());
    // Take the names from a short list, because values files of different charts often use the same names.
    if (kind === 'values')
      for (const [at, each] of entries.entries()) each.name = ['web', 'db', 'cache'][at]!;
    const path = freePath(kind);
    files.set(path, { kind, entries, isBroken: false });
    touched.add(path);
    log.push(`add ${path}`);
  }

  function move(from: string, to: string) {
    files.set(to, files.get(from)!);
    files.delete(from);
    touched.add(to);
    for (const each of files.get(to)!.entries) busyImages.add(each.image);
  }

  const changes: readonly ((path: string, file: ModelFile) => void)[] = [
    function bump(_path, file) {
      pick(file.entries).version = version();
    },
    function moveFile(path, file) {
      if (chance(0.5)) for (const each of file.entries) each.version = version();
      move(path, freePath(file.kind));
    },
    function renameDirectory(path) {
      const [root = ''] = path.split('/');
      const to = `${root}${nextName++}`;
      const inside = [...files.keys()].filter((each) => each.startsWith(`${root}/`) && !touched.has(each));
      if (inside.some((each) => files.get(each)!.isBroken)) return;
      for (const each of inside) move(each, each.replace(root, to));
    },
    function split(path, file) {
      if (file.kind !== 'manifests' || file.entries.length < 2) return;
      const moved = file.entries.pop()!;
      busyImages.add(moved.image);
      const to = freePath('manifests');
      files.set(to, { kind: 'manifests', entries: [moved], isBroken: false });
      touched.add(to).add(path);
    },
    function swap(path, file) {
      const other = [...files].find(
        ([each, { kind, isBroken }]) =>
          each !== path && kind === file.kind && kind !== 'list' && !isBroken && !touched.has(each),
      );
      if (!other) return;
      const [otherPath, otherFile] = other;
      // If both files have the same image under the same name, the items of both files keep their identity.
      const keep = (entries: ModelEntry[], before: ModelEntry[]) =>
        entries.map((each) => ({
          ...each,
          uid:
            before.find(
              ({ name, image, namespace }) =>
                name === each.name && image === each.image && namespace === each.namespace,
            )?.uid ?? each.uid,
        }));
      const [mine, theirs] = [keep(otherFile.entries, file.entries), keep(file.entries, otherFile.entries)];
      [file.entries, otherFile.entries] = [mine, theirs];
      touched.add(otherPath);
      for (const each of [...mine, ...theirs]) busyImages.add(each.image);
    },
    function replace(path, file) {
      const each = pick(file.entries);
      const at = file.entries.indexOf(each);
      end(path, file, each);
      file.entries[at] = { ...entry(), name: each.name, namespace: each.namespace };
      revive(path, file, file.entries[at]);
    },
    function remove(path, file) {
      if (file.entries.length > 1) {
        const each = pick(file.entries);
        end(path, file, each);
        file.entries.splice(file.entries.indexOf(each), 1);
        return;
      }
      for (const each of file.entries) end(path, file, each);
      files.delete(path);
    },
    function insert(path, file) {
      if (file.kind === 'values') return;
      const added = entry(file.kind === 'list' && chance(0.3) ? pick(file.entries).image : undefined);
      if (file.entries.some((each) => each.image === added.image && each.version === added.version)) return;
      if (file.entries.some((each) => each.image === added.image) && file.kind !== 'list') return;
      file.entries.splice(Math.floor(random() * (file.entries.length + 1)), 0, added);
      revive(path, file, added);
    },
    /** Restores an ended entry at its former position, as a reverted commit does. */
    function restore(path, file) {
      const places = [...ended.entries()].flatMap(([place, entries]) => {
        const [endedPath, , , at] = JSON.parse(place) as [string, string, string | null, string | number];
        return endedPath === path ? entries.map((each) => ({ each, at })) : [];
      });
      if (places.length === 0) return;
      const { each, at } = pick(places);
      if (busyImages.has(each.image)) return;
      const restored = { ...each, uid: nextUid++, version: chance(0.5) ? each.version : version() };
      const same = file.entries.filter(({ image }) => image === each.image);
      if (same.some((other) => file.kind !== 'list' || other.version === restored.version)) return;
      busyImages.add(each.image);
      const taken = file.entries.findIndex(({ name }) => name === each.name);
      if (file.kind === 'list') file.entries.splice(Number(at), 0, restored);
      else if (taken < 0) file.entries.push(restored);
      else {
        end(path, file, file.entries[taken]!);
        file.entries[taken] = restored;
      }
      revive(path, file, restored);
    },
    function addNamespace() {
      const namespace = `ns${nextName++}`;
      for (const [path, file] of files)
        if (file.kind === 'manifests' && !file.isBroken && !touched.has(path))
          for (const each of file.entries) each.namespace = namespace;
      for (const path of files.keys()) touched.add(path);
    },
    function rename(_path, file) {
      if (file.kind === 'manifests') pick(file.entries).name = `n${nextName++}`;
    },
    function breakFile(_path, file) {
      file.isBroken = true;
    },
  ];

  function commit(): void {
    [log, touched, busyImages] = [[], new Set(), new Set()];
    for (const [path, file] of files)
      if (file.isBroken && chance(0.5)) {
        file.isBroken = false;
        touched.add(path);
        log.push(`repair ${path}`);
      }
    if (files.size < 4) return addFile();
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      if (chance(0.15)) {
        addFile();
        continue;
      }
      const free = [...files].filter(([path, { isBroken }]) => !isBroken && !touched.has(path));
      if (free.length === 0) return;
      const [path, file] = pick(free);
      // Skip a file with an image that the commit already changes, because two changes to the same image in
      // one commit would be ambiguous.
      if (file.entries.some(({ image }) => busyImages.has(image))) continue;
      const change = pick(changes);
      touched.add(path);
      log.push(`${change.name} ${path}`);
      change(path, file);
    }
  }

  function scan(): ModelScan {
    const texts = Object.fromEntries([...files].map(([path, file]) => [path, render(file)]));
    const { items } = discoverFiles(texts);
    const byFile = Map.groupBy(items, ({ place }) => place.file);
    const found = [...byFile].flatMap(([path, inFile]) => {
      const { entries } = files.get(path)!;
      if (entries.length !== inFile.length)
        throw new Error(`${path}: ${inFile.length} items of ${entries.length}`);
      return inFile
        .toSorted((a, b) => a.place.line - b.place.line)
        .map((item, at): TruthItem => ({ uid: entries[at]!.uid, item, blob: texts[path]! }));
    });
    return {
      items: found,
      unread: new Set([...files].flatMap(([path, { isBroken }]) => (isBroken ? path : []))),
      present: new Set([...files.values()].flatMap(({ entries }) => entries.map(({ uid }) => uid))),
      log,
    };
  }

  return { commit, scan };
}

function render({ kind, entries, isBroken }: ModelFile): string {
  const conflict = isBroken ? '<<<<<<< HEAD\na: 1\n=======\nb: [\n>>>>>>> feature\n' : '';
  if (kind === 'values')
    return (
      conflict +
      entries
        .map(
          ({ name, image, version }) => `${name}:\n  image:\n    repository: ${image}\n    tag: ${version}\n`,
        )
        .join('')
    );
  if (kind === 'list')
    return `${conflict}extra:\n${entries.map(({ image, version }) => `  - image: ${image}:${version}\n`).join('')}`;
  return entries
    .map(
      ({ name, namespace, image, version }) =>
        `${conflict}apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n${namespace === null ? '' : `  namespace: ${namespace}\n`}spec:\n  template:\n    spec:\n      containers:\n        - name: c\n          image: ${image}:${version}\n`,
    )
    .join('---\n');
}
