import { testFaults } from './faultTests.ts';

testFaults('text');
