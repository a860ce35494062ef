import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

/**
 * `npm run sbom` writes the bill of materials of Pacekeeper to dist/: `sbom.cdx.json` (CycloneDX, from npm)
 * and a list of packages by license. Both also contain the development packages, marked as such, because the
 * web UI is built from some of them.
 */

interface Component {
  name: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  properties?: { name: string; value: string }[];
}

interface BillOfMaterials {
  metadata: { component: { name: string } };
  components: Component[];
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Reads the bill of materials of the installed packages. */
export function readBillOfMaterials(): BillOfMaterials {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bill = JSON.parse(text) as BillOfMaterials;
  // npm uses the name of the directory, so set the name of the package.
  bill.metadata.component.name = packageJson.name;
  return bill;
}

/** Returns a license expression, such as `MIT` or `MIT OR Apache-2.0`, or `null` if the package has none. */
export function licenseOf({ licenses = [] }: Component): string | null {
  const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
  return names.filter(Boolean).join(' AND ') || null;
}

/** True if a package isn't part of a running server. */
export function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

export function formatLicenseList({ components }: BillOfMaterials): string {
  const byLicence = Map.groupBy(components, (component) => licenseOf(component) ?? 'none named');
  const sections = [...byLicence]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([licence, members]) => {
      const lines = members
        .map(
          (each) =>
            `- ${each.name} ${each.version}${isForDevelopment(each) ? ' (development, web page)' : ''}`,
        )
        .toSorted((a, b) => a.localeCompare(b, 'en'));
      return `## ${licence} (${lines.length})\n\n${[...new Set(lines)].join('\n')}\n`;
    });
  return `# Licences of what Pacekeeper ${packageJson.version} is made of\n\n${sections.join('\n')}`;
}

if (import.meta.main) {
  const bill = readBillOfMaterials();
  const folder = path.join(root, 'dist');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(path.join(folder, 'licences.md'), formatLicenseList(bill));
  process.stdout.write(`dist/sbom.cdx.json and dist/licences.md: ${bill.components.length} packages\n`);
}
