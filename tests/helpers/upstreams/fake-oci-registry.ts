import { createHash } from 'node:crypto';
import { sendJson, sendWithEtag, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

export interface FakeImage {
  tags: string[];
  /** Creation time by tag. Tags without an entry have no date. */
  created?: Map<string, string>;
  /**
   * Location of the creation time: the annotations of the manifest, or the image configuration that an index
   * references.
   */
  dateIn?: 'annotations' | 'config';
  /** Source repository of the software, stored in the same place as the creation time. */
  project?: string;
  /**
   * Digest by tag, returned in the `docker-content-digest` header of the manifest. Tags without an entry have
   * no header.
   */
  digests?: Map<string, string>;
}

export interface FakeOciRegistry extends UpstreamServer {
  /** Images by path. The registry lists tags in the order of this array. */
  images: Map<string, FakeImage>;
  /** Maximum number of tags per page, even if a request specifies more. */
  maxPageSize: number;
  /** Format of the URL of the next page. */
  links: 'relative' | 'absolute' | 'opaque';
  /**
   * Required authentication, or null for none. `token` requires a token from `/token`; `basic` requires the
   * user `robot` with this password.
   */
  auth: null | { kind: 'token'; realm?: string; password?: string } | { kind: 'basic'; password: string };
  /** Query parameters of each `/token` request. */
  tokenRequests: URLSearchParams[];
  /** Number of requests for which a token is valid. */
  tokenUses: number;
}

/**
 * Starts a registry that implements the OCI distribution API: paginated tag lists, token authentication,
 * manifests, and image configurations.
 */
export async function startFakeOciRegistry(options: { port?: number } = {}): Promise<FakeOciRegistry> {
  let issued = 0;
  let uses = 0;
  const server = await startUpstreamServer((request, response, url) => {
    if (url.pathname === '/token') {
      registry.tokenRequests.push(url.searchParams);
      const password = registry.auth?.kind === 'token' ? registry.auth.password : undefined;
      const given = request.headers.authorization;
      if (given !== undefined && given !== basic(password ?? '')) {
        return sendJson(response, 401, { errors: [{ code: 'UNAUTHORIZED' }] });
      }
      issued += 1;
      uses = 0;
      const access = password === undefined || given !== undefined ? 'pull' : 'none';
      return sendJson(response, 200, { token: `${access}-${issued}`, expires_in: 300 });
    }
    if (!isLetIn(request.headers.authorization)) {
      const { auth } = registry;
      const challenge =
        auth?.kind === 'token'
          ? `Bearer realm="${auth.realm ?? `http://${server.host}/token`}",service="registry.example",scope="repository:other/image:pull,push"`
          : 'Basic realm="registry"';
      return sendJson(
        response,
        401,
        { errors: [{ code: 'UNAUTHORIZED' }] },
        { 'www-authenticate': challenge },
      );
    }
    const [, path = '', action, name = ''] =
      /^\/v2\/(.+)\/(tags|manifests|blobs)\/(.+)$/u.exec(url.pathname) ?? [];
    const image = registry.images.get(path);
    if (!image) return sendJson(response, 404, { errors: [{ code: 'NAME_UNKNOWN' }] });
    if (action === 'manifests' || action === 'blobs') return sendDetail(image, decodeURIComponent(name));
    const size = Math.min(
      Number(url.searchParams.get('n') ?? registry.maxPageSize) || registry.maxPageSize,
      registry.maxPageSize,
    );
    const from = Number(
      url.searchParams.get('at') ?? image.tags.indexOf(url.searchParams.get('last') ?? '') + 1,
    );
    const tags = image.tags.slice(from, from + size);
    const next =
      from + size < image.tags.length ? nextPage(path, size, tags.at(-1) ?? '', from + size) : null;
    sendWithEtag(request, response, JSON.stringify({ name: path, tags }), {
      'content-type': 'application/json',
      'docker-distribution-api-version': 'registry/2.0',
      ...(next !== null && { link: `<${next}>; rel="next"` }),
    });

    function sendDetail(of: FakeImage, reference: string): void {
      const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
      // Digests are computed only if one is requested, because an image can have thousands of tags.
      const isReferred = (one: string) =>
        one === reference ||
        (reference.startsWith('sha256:') &&
          [digest(`image ${one}`), digest(`config ${one}`)].includes(reference));
      const tag = of.tags.find(isReferred);
      const told = of.digests?.get(reference);
      if (told !== undefined) response.setHeader('docker-content-digest', told);
      if (request.method === 'HEAD') {
        return void response.writeHead(tag === reference ? 200 : 404, { 'content-length': 1_234 }).end();
      }
      const created = tag === undefined ? undefined : of.created?.get(tag);
      if (tag === undefined || created === undefined)
        return sendJson(response, 404, { errors: [{ code: 'MANIFEST_UNKNOWN' }] });
      if (reference === digest(`config ${tag}`))
        return sendJson(response, 200, {
          architecture: 'amd64',
          os: 'linux',
          created,
          config: { Labels: of.project && { 'org.label-schema.vcs-url': of.project } },
        });
      const config = { digest: digest(`config ${tag}`), size: 2 };
      if (of.dateIn === 'annotations') {
        return sendJson(response, 200, {
          schemaVersion: 2,
          config,
          annotations: {
            'org.opencontainers.image.created': created,
            'org.opencontainers.image.source': of.project,
          },
        });
      }
      if (reference === digest(`image ${tag}`))
        return sendJson(response, 200, { schemaVersion: 2, config, layers: [] });
      sendJson(response, 200, {
        schemaVersion: 2,
        manifests: [
          { digest: digest('other'), platform: { architecture: 's390x', os: 'linux' } },
          { digest: digest(`image ${tag}`), platform: { architecture: 'amd64', os: 'linux' } },
        ],
      });
    }
  }, options);

  function isLetIn(authorization: string | undefined): boolean {
    const { auth } = registry;
    if (auth === null) return true;
    if (auth.kind === 'basic') return authorization === basic(auth.password);
    uses += 1;
    return authorization === `Bearer pull-${issued}` && uses <= registry.tokenUses;
  }

  function nextPage(path: string, size: number, last: string, at: number): string {
    const list = `/v2/${path}/tags/list`;
    switch (registry.links) {
      case 'relative':
        return `${list}?n=${size}&last=${encodeURIComponent(last)}`;
      case 'absolute':
        return `http://${server.host}${list}?n=${size}&last=${encodeURIComponent(last)}`;
      case 'opaque':
        return `${list}?at=${at}&cursor=bmV4dA%3D%3D`;
    }
  }

  const registry: FakeOciRegistry = Object.assign(server, {
    images: new Map<string, FakeImage>(),
    maxPageSize: 1_000,
    links: 'relative' as const,
    auth: null,
    tokenRequests: [],
    tokenUses: Number.POSITIVE_INFINITY,
  });
  return registry;
}

function basic(password: string): string {
  return `Basic ${Buffer.from(`robot:${password}`).toString('base64')}`;
}
