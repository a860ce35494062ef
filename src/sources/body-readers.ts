import { lightReaders } from './light-readers.ts';
import { readHelmChart } from './read-helm-chart.ts';
import { readHelmCharts } from './read-helm-charts.ts';

/** Every reader there is. YAML takes many times what it is made of. */
export const bodyReaders = {
  ...lightReaders,
  helm_chart: readHelmChart,
  helm_charts: readHelmCharts,
};

export type BodyReaders = typeof bodyReaders;
