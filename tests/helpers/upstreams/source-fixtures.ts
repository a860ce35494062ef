import { startFakeGitea } from './fake-gitea.ts';
import { type FakeRelease, startFakeGithub } from './fake-github.ts';
import { startFakeGitlab } from './fake-gitlab.ts';
import { startFakeHelmRepository, writeHelmIndex } from './fake-helm-repository.ts';
import { startFakeJsonDocuments } from './fake-json-documents.ts';
import { startFakeOciRegistry } from './fake-oci-registry.ts';
import { sendWithEtag, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

/**
 * A release source for the conformance suite: a server that acts as the source's platform, and the features
 * that the platform supports.
 */
export interface SourceFixture {
  sourceType: string;
  /** Source options of the gather job. */
  sourceOptions: Record<string, string>;
  /** True if the document can show only the newest releases, so that its list is never complete. */
  showsNewestOnly?: boolean;
  /**
   * True if the platform marks pre-releases. The following flags state whether it has drafts, dates, and
   * notes.
   */
  hasPrereleaseFlag: boolean;
  hasDrafts: boolean;
  hasDates: boolean;
  hasNotes: boolean;
  /** True if the platform sends `ETag` or `Last-Modified`. */
  hasValidators: boolean;
  /** Number of releases per page, or null if the list isn't paginated. */
  pageSize: number | null;
  /** Response bodies that aren't a valid list of releases. */
  garbage: string[];
  /** Returns a complete response body with the given list entries. */
  writeAnswer: (entries: readonly unknown[]) => string;
  start(): Promise<RunningFixture>;
}

export interface RunningFixture {
  server: UpstreamServer;
  /** Returns the artifact name that a user enters in the gather job. */
  artifactName: (host: string) => string;
  setReleases(releases: readonly FakeRelease[]): void;
}

const jsonGarbage = [
  '',
  '<html><body>Sign in</body></html>',
  '{"message":"hello"}',
  'null',
  '"text"',
  '[1,2',
  '\u0000',
];

export const sourceFixtures: readonly SourceFixture[] = [
  {
    sourceType: 'github_releases',
    sourceOptions: {},
    hasPrereleaseFlag: true,
    hasDrafts: true,
    hasDates: true,
    hasNotes: true,
    hasValidators: true,
    pageSize: 100,
    garbage: jsonGarbage,
    writeAnswer: (entries) => JSON.stringify(entries),
    async start() {
      const server = await startFakeGithub();
      return {
        server,
        artifactName: (host) => `${host}/acme/app`,
        setReleases: (releases) => server.repositories.set('acme/app', [...releases]),
      };
    },
  },
  {
    sourceType: 'gitlab_releases',
    sourceOptions: {},
    hasPrereleaseFlag: false,
    hasDrafts: false,
    hasDates: true,
    hasNotes: true,
    hasValidators: true,
    pageSize: 100,
    garbage: jsonGarbage,
    writeAnswer: (entries) => JSON.stringify(entries),
    async start() {
      const server = await startFakeGitlab();
      return {
        server,
        artifactName: (host) => `${host}/acme/tools/app`,
        setReleases: (releases) =>
          server.projects.set(
            'acme/tools/app',
            releases.flatMap(({ tag, publishedAt, notes }) =>
              publishedAt === null
                ? []
                : [{ tag, releasedAt: publishedAt, ...(notes === undefined ? {} : { notes }) }],
            ),
          ),
      };
    },
  },
  {
    sourceType: 'gitea_releases',
    sourceOptions: {},
    hasPrereleaseFlag: true,
    hasDrafts: true,
    hasDates: true,
    hasNotes: true,
    hasValidators: false,
    pageSize: 50,
    garbage: jsonGarbage,
    writeAnswer: (entries) => JSON.stringify(entries),
    async start() {
      const server = await startFakeGitea();
      return {
        server,
        artifactName: (host) => `${host}/acme/app`,
        setReleases: (releases) => server.repositories.set('acme/app', [...releases]),
      };
    },
  },
  {
    sourceType: 'helm_repository',
    sourceOptions: {},
    hasPrereleaseFlag: false,
    hasDrafts: false,
    hasDates: true,
    hasNotes: false,
    hasValidators: true,
    pageSize: null,
    garbage: [
      '',
      '<html><body>Sign in</body></html>',
      '- a\n- b\n',
      'entries:\n- app\n',
      'entries:\n\tapp: []\n',
      'apiVersion: v1\n',
      '{"entries": [1]}',
      '{"entries": ',
      'entries:\n  app:\n  - version: "1.0\n',
      'entries:\n    app:\n    - version: 1.0.0\n  other: []\n',
    ],
    writeAnswer: (entries) => JSON.stringify({ apiVersion: 'v1', entries: { app: entries } }),
    async start() {
      const server = await startFakeHelmRepository();
      return {
        server,
        artifactName: (host) => `${host}/charts/app`,
        setReleases: (releases) =>
          server.indexes.set(
            '/charts',
            writeHelmIndex({
              aardvark: [{ version: '9.9.9' }],
              app: releases.flatMap(({ tag, publishedAt }) =>
                publishedAt === null ? [] : [{ version: tag, created: publishedAt, appVersion: '1' }],
              ),
              zebra: [{ version: '9.9.9' }],
            }),
          ),
      };
    },
  },
  {
    sourceType: 'http_json',
    sourceOptions: { version_path: '.releases[*].name', date_path: '.releases[*].day' },
    hasPrereleaseFlag: false,
    hasDrafts: false,
    hasDates: true,
    hasNotes: false,
    hasValidators: true,
    pageSize: null,
    garbage: [...jsonGarbage, '{"releases":{}}', '{"releases":[[]]}'],
    writeAnswer: (entries) => JSON.stringify({ releases: entries }),
    async start() {
      const server = await startFakeJsonDocuments();
      return {
        server,
        artifactName: (host) => `http://${host}/app.json?channel=all`,
        setReleases: (releases) =>
          server.documents.set('/app.json', {
            releases: releases.flatMap(({ tag, publishedAt }) =>
              publishedAt === null ? [] : [{ name: tag, day: publishedAt }],
            ),
          }),
      };
    },
  },
  {
    sourceType: 'http_text',
    sourceOptions: { version_regex: 'app (.+)' },
    showsNewestOnly: true,
    hasPrereleaseFlag: false,
    hasDrafts: false,
    hasDates: false,
    hasNotes: false,
    hasValidators: true,
    pageSize: null,
    garbage: ['', '<html><body>Sign in</body></html>', 'null', '\u0000'],
    writeAnswer: (entries) =>
      entries
        .map((entry) => {
          const tag: unknown =
            typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'tag_name') : null;
          return typeof tag === 'string' ? `app ${tag}` : '?';
        })
        .join('\n'),
    async start() {
      const texts = new Map<string, string>();
      const server = await startUpstreamServer((request, response) =>
        sendWithEtag(request, response, texts.get('/app.txt') ?? '', { 'content-type': 'text/plain' }),
      );
      return {
        server,
        artifactName: (host) => `http://${host}/app.txt`,
        setReleases: (releases) =>
          texts.set(
            '/app.txt',
            releases
              .flatMap(({ tag, publishedAt }) => (publishedAt === null ? [] : [`app ${tag}`]))
              .join('\n'),
          ),
      };
    },
  },
  {
    sourceType: 'oci_registry',
    sourceOptions: {},
    hasPrereleaseFlag: false,
    hasDrafts: false,
    hasDates: false,
    hasNotes: false,
    hasValidators: true,
    pageSize: null,
    garbage: [...jsonGarbage, '{"tags":null}', '{"tags":{}}', '{"name":"acme/app","tags":"1.0.0"}'],
    writeAnswer: (entries) =>
      JSON.stringify({
        name: 'acme/app',
        tags: entries.map((entry) =>
          typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'tag_name') : null,
        ),
      }),
    async start() {
      const server = await startFakeOciRegistry();
      return {
        server,
        artifactName: (host) => `${host}/acme/app`,
        setReleases: (releases) =>
          server.images.set('acme/app', {
            tags: releases.flatMap(({ tag, publishedAt }) => (publishedAt === null ? [] : [tag])),
          }),
      };
    },
  },
];
