import { readFileSync } from 'node:fs';

/** A page of the web UI, as declared in its router. */
export interface PageRoute {
  /** Route path, such as `/alerts/$id`. */
  path: string;
  /** Name from the page's file, such as `alert` for `alert-page.tsx`. */
  name: string;
}

const router = new URL('../../web/src/router.tsx', import.meta.url);

/**
 * Returns every page. The list is read from the source of the router, so it includes new pages automatically.
 */
export function readPageRoutes(): PageRoute[] {
  const source = readFileSync(router, 'utf8');
  const lazy = source.matchAll(
    /(?:path: |\bpage(?:WithSearch)?\(\s*)'(\/[^']*)'[^']*import\('[^']*\/([^'/]+)-page\.tsx'\)/gu,
  );
  const eager = source.matchAll(/path: '(\/[^']*)',\s+component: (\w+)Page\b/gu);
  const routes = [
    ...[...eager].map(([, path = '', component = '']) => ({ path, name: component.toLowerCase() })),
    ...[...lazy].map(([, path = '', name = '']) => ({ path, name })),
  ];
  const paths = source.match(
    /'\/[^']*'(?=, (?:\(\) => import|component:)|,\s+(?:\(\) => import|component:))/gu,
  );
  if (routes.length < 40 || routes.length !== paths?.length)
    throw new Error(`Of ${paths?.length ?? 0} routes in router.tsx ${routes.length} are understood.`);
  return routes;
}
