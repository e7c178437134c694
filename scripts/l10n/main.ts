// Writes l10n/bundle.l10n.json: `node scripts/l10n/main.ts`. A unit test compares the two.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../projectPaths.ts';
import { bundle } from './bundle.ts';

writeFileSync(path.join(PROJECT_ROOT, 'l10n/bundle.l10n.json'), bundle());
