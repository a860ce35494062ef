import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import {
  formatLicenseList,
  isForDevelopment,
  licenseOf,
  readBillOfMaterials,
} from './write-bill-of-materials.ts';

const bill = readBillOfMaterials();
const shipped = bill.components.filter((component) => !isForDevelopment(component));

test('the bill of materials contains every dependency of the server', () => {
  const names = new Set(shipped.map(({ name }) => name));
  expect(Object.keys(packageJson.dependencies).filter((name) => !names.has(name))).toEqual([]);
  expect(bill.metadata.component.name).toBe('pacekeeper');
});

test('every package has a license, and every license of the server is permissive', () => {
  expect(
    bill.components.filter((component) => licenseOf(component) === null).map(({ name }) => name),
  ).toEqual([]);
  const easy =
    /^\(?(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|PostgreSQL|Python-2\.0)( (OR|AND) [\w.-]+)*\)?$/;
  expect(
    shipped.filter((each) => !easy.test(licenseOf(each)!)).map((each) => `${each.name} ${licenseOf(each)}`),
  ).toEqual([]);
});

test('the list of licenses contains every package', () => {
  const list = formatLicenseList(bill);
  expect(list).toContain('## MIT (');
  for (const { name, version } of bill.components) expect(list).toContain(`- ${name} ${version}`);
});
