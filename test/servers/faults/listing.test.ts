import { testFaults } from './faultTests.ts';

testFaults('listing');
