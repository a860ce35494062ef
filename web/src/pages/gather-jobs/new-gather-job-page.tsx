import { PageHeader } from '../../ui/page-header.tsx';

export default function NewGatherJobPage() {
  return <PageHeader title="NewGatherJob" />;
}
