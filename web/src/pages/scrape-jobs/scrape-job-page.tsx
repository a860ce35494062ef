import { PageHeader } from '../../ui/page-header.tsx';

export default function ScrapeJobPage() {
  return <PageHeader title="ScrapeJob" />;
}
