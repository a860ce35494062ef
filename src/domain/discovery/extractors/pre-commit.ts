import { emptyExtraction, type Fact } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import { listAt, textAt, treeAt } from '../read-documents.ts';
import { readVersion } from '../read-version.ts';
import { versionComment } from '../version-comment.ts';
import type { YamlExtractor } from './extractor.ts';

/** Repositories of hooks that pre-commit installs. */
export const preCommit: YamlExtractor = {
  name: 'pre_commit',
  // Check the text too, because `pre-commit --config` accepts files with any name.
  wants: (text, { base }) =>
    /^\.pre-commit-config\.ya?ml$/.test(base) ||
    (/^repos:/m.test(text) &&
      /^[ -]*repo:/m.test(text) &&
      /^ +(?:- )?rev:/m.test(text) &&
      /^ +hooks:/m.test(text)),
  extract(document) {
    const facts: Fact[] = [];
    for (const entry of listAt(document.tree, 'repos')) {
      const url = textAt(entry, 'repo');
      const rev = treeAt(entry, 'rev');
      // Skip `local` and `meta`, which aren't repositories.
      if (url === null || !/[/:]/.test(url) || rev?.kind !== 'scalar') continue;
      const read = readVersion(rev.text, 'ref');
      const comment = read.state === 'commit' ? versionComment(document, rev) : null;
      facts.push({
        extractor: 'pre_commit',
        place: locateNode(document, rev, null, `repos ${url.slice(0, 200)}`),
        artifact: { kind: 'git', name: url },
        origin: { type: 'git', url },
        ...(comment === null ? read : readVersion(comment, 'ref')),
        digest: read.state === 'commit' ? rev.text : null,
        note: comment === null ? null : 'version from the comment after the commit',
      });
    }
    return { ...emptyExtraction(), facts };
  },
};
