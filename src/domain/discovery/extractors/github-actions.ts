import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Fact, type FactPlace, nothing } from '../fact.ts';
import { placeIn } from '../manifest.ts';
import { type ReadDocument, textAt } from '../read-documents.ts';
import { readImage, splitImage } from '../read-image.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { versionComment } from '../version-comment.ts';
import { walkTree } from '../walk-tree.ts';
import type { YamlExtractor } from './extractor.ts';

/** Actions, reusable workflows, and images of workflows and of actions. */
export const githubActions: YamlExtractor = {
  name: 'github_actions',
  wants: (text, { path, base }) =>
    /uses:|image:|container:/.test(text) &&
    (/(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/.*\.ya?ml$/.test(path) ||
      /^action\.ya?ml$/.test(base)),
  extract(document) {
    const { tree } = document;
    const result = nothing();
    const names = { kind: 'workflow', namespace: null, name: textAt(tree, 'name') };
    walkTree(tree, ({ node, key, field }) => {
      if (field.includes('.with.') || field.includes('.env.')) return false;
      if (node.kind !== 'scalar') return true;
      if (key === 'uses') {
        const fact = readUses(document, node, names);
        if (fact) result.facts.push(fact);
      } else if (isImageField(field)) {
        const image = splitImage(node.text.replace(/^docker:\/\//, ''));
        const isFile = /dockerfile$/i.test(node.text);
        if (image && !isFile) {
          const place = placeIn(document, node, names, field);
          result.facts.push({ extractor: 'github_actions', place, ...readImage(image), note: null });
        }
      }
      return false;
    });
    return result;
  },
};

function isImageField(field: string): boolean {
  return /^jobs\.[^.]+\.container(?:\.image)?$|^jobs\.[^.]+\.services\.[^.]+\.image$|^runs\.image$/.test(
    field,
  );
}

function readUses(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  names: Pick<FactPlace, 'kind' | 'namespace' | 'name'>,
): Fact | null {
  const text = node.text.trim();
  const place = (name: string) => placeIn(document, node, names, `uses ${name}`);
  if (text.startsWith('docker://')) {
    const image = splitImage(text);
    return image
      ? { extractor: 'github_actions', place: place(image.name), ...readImage(image), note: null }
      : null;
  }
  const at = text.lastIndexOf('@');
  const [target, ref] = at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  const base = { extractor: 'github_actions' as const, place: place(target), digest: null };
  if (/^\.{0,2}\//.test(target) || !target.includes('/'))
    return {
      ...base,
      artifact: { kind: 'action', name: target },
      origin: { type: 'local' },
      ...{ version: null, state: 'floating', reason: 'local', note: null },
    };
  const address = /^(https?:\/\/[^/]+)\/(.+)$/.exec(target);
  const [owner = '', repository = ''] = (address ? address[2]! : target).split('/');
  const name = `${owner}/${repository}`;
  const read = readVersion(ref, 'ref');
  const comment = read.state === 'commit' ? versionComment(document, node) : null;
  const url = `${address ? address[1] : 'https://github.com'}/${name}`;
  return {
    ...base,
    artifact: { kind: 'action', name: address ? `${address[1]!.replace(/^https?:\/\//, '')}/${name}` : name },
    origin: isTemplated(url) ? { type: 'unknown' } : { type: 'git', url },
    ...(comment === null ? read : readVersion(comment, 'ref')),
    digest: read.state === 'commit' ? ref : null,
    note: comment === null ? null : 'version from the comment after the commit',
  };
}
